// How the log-odds of two classes come about: the prior, then each part, the weightiest first, up to the sum.

import { digits, h, signed } from "/js/dom.js";
import { t } from "/js/words.js";

const MOST = 16;
const NOTHING = 5e-4;

export function waterfall(found) {
  const shown = found.reasons.filter((reason, k) => k === 0 || Math.abs(reason.contribution) >= NOTHING);
  const lines = shown.slice(0, MOST).map(({ part, value, contribution }) => ({ part, value, x: contribution }));
  const rest = found.log_odds - lines.reduce((sum, line) => sum + line.x, 0);
  if (shown.length > MOST || Math.abs(rest) >= NOTHING)
    lines.push({
      part: t("other.parts", { n: Math.max(found.reasons.length - lines.length, 1) }),
      value: null,
      x: rest,
    });
  let at = 0;
  for (const line of lines) {
    line.from = at;
    at += line.x;
  }
  lines.push({ part: t("sum"), value: null, from: 0, x: found.log_odds, sum: true });
  const low = Math.min(0, ...lines.map((line) => line.from + Math.min(0, line.x)));
  const high = Math.max(0, ...lines.map((line) => line.from + Math.max(0, line.x)));
  const share = (x) => (100 * x) / (high - low || 1);
  return h(
    "div",
    { class: "fall", id: "waterfall", "data-total": String(found.log_odds) },
    h(
      "div",
      { class: "fall-ends" },
      h("span", {}, `← ${t("for", { class: found.against })}`),
      h("span", {}, `${t("for", { class: found.decision })} →`),
    ),
    h(
      "div",
      { role: "list" },
      lines.map((line) => {
        const label =
          line.value === null || line.value === undefined ? line.part : `${line.part} = ${digits(line.value)}`;
        return h(
          "div",
          {
            class: `fall-row${line.sum ? " sum" : ""}`,
            role: "listitem",
            "data-x": String(line.x),
            style: { "--zero": `${share(-low)}%` },
          },
          h("span", { class: "part", title: label }, label),
          h(
            "span",
            { class: "track" },
            h("span", {
              class: `step${line.x < 0 ? " down" : ""}`,
              style: {
                left: `${share(Math.min(line.from, line.from + line.x) - low)}%`,
                width: `${share(Math.abs(line.x))}%`,
              },
            }),
          ),
          h("span", { class: "number" }, signed(line.x)),
        );
      }),
    ),
    found.notes.map((note) => h("p", { class: "faint" }, h("small", {}, note))),
  );
}
