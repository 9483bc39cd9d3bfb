// How the log-odds of two classes come about: the prior, then each part, the weightiest first, up to the sum.

import { digits, h, percent, signed } from "/js/dom.js";
import { hasTerm, t, termOf } from "/js/words.js";

const MOST = 16;
const NOTHING = 5e-4;

// `explanation`: reasons that add up to log_odds of `decision` against `against`. `id`: of the page's own one.
export function waterfall(explanation, id = null) {
  const lines = linesOf(explanation);
  const low = Math.min(0, ...lines.map((line) => line.from + Math.min(0, line.x)));
  const high = Math.max(0, ...lines.map((line) => line.from + Math.max(0, line.x)));
  const share = (x) => (100 * x) / (high - low || 1);
  return h(
    "div",
    { class: "fall", id, "data-total": String(explanation.log_odds) },
    h(
      "div",
      { class: "fall-ends" },
      h("span", {}, `← ${t("for", { class: explanation.against })}`),
      h("span", {}, `${t("for", { class: explanation.decision })} →`),
    ),
    h(
      "div",
      { role: "list" },
      lines.map((line) => row(line, low, share)),
    ),
    h(
      "p",
      { class: "faint small" },
      t("sum.means", {
        of: explanation.decision,
        against: explanation.against,
        p: percent(1 / (1 + Math.exp(-explanation.log_odds))),
      }),
    ),
    (explanation.notes ?? []).map((note) => h("p", { class: "faint small" }, noteOf(note))),
  );
}

// "a part: what it means; and more of that", in the reader's words, as a sentence.
function noteOf(note) {
  const [part, ...rest] = note.split(": ");
  const told = rest.join(": ");
  const means = hasTerm("means", told) ? [told] : told.split("; ");
  const known = means.every((one) => hasTerm("means", one));
  const said = known
    ? `${termOf("part", part)}${t("colon")}${means.map((one) => termOf("means", one)).join(t("semicolon"))}`
    : termOf("note", note);
  return `${said[0].toUpperCase()}${said.slice(1)}${t("full.stop")}`;
}

function linesOf(explanation) {
  const shown = explanation.reasons.filter((reason, k) => k === 0 || Math.abs(reason.contribution) >= NOTHING);
  const lines = shown
    .slice(0, MOST)
    .map(({ part, value, contribution }, k) => ({
      part: termOf("part", part),
      isColumn: k > 0 && !hasTerm("part", part), // the first is the prior; a column that is not known may tell something
      value,
      x: contribution,
    }));
  const rest = explanation.log_odds - lines.reduce((sum, line) => sum + line.x, 0);
  if (shown.length > MOST || Math.abs(rest) >= NOTHING)
    lines.push({
      part: t("other.parts", { n: Math.max(explanation.reasons.length - lines.length, 1) }),
      value: null,
      x: rest,
    });
  let at = 0;
  for (const line of lines) {
    line.from = at;
    at += line.x;
  }
  lines.push({ part: t("sum"), value: null, from: 0, x: explanation.log_odds, sum: true });
  return lines;
}

function row(line, low, share) {
  const missing = line.value === null || line.value === undefined;
  const label = missing && !line.isColumn ? line.part : `${line.part} = ${missing ? t("unknown") : digits(line.value)}`;
  const begin = share(Math.min(line.from, line.from + line.x) - low);
  return h(
    "div",
    {
      class: `fall-row${line.sum ? " sum" : ""}`,
      role: "listitem",
      "data-x": String(line.x),
      style: { "--zero": `${share(-low)}%`, "--end": `${share(line.from + line.x - low)}%` },
    },
    h("span", { class: "part", title: label }, label),
    h(
      "span",
      { class: "track" },
      h("span", {
        class: `step${line.x < 0 ? " down" : ""}`,
        style: { left: `${begin}%`, width: `${share(Math.abs(line.x))}%` },
      }),
    ),
    h("span", { class: "number" }, signed(line.x)),
  );
}
