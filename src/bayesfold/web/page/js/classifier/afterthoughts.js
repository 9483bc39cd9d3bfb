// What to ask next, and what would change the decision; either may have no answer, and says why.

import { withWeekday } from "/js/classifier/dates.js";
import { digits, h } from "/js/dom.js";
import { complaint } from "/js/parts.js";
import { t } from "/js/words.js";

const MOST = 6;
const NOTHING = 5e-5;

export function nextQuestion(ranking, focus) {
  if (ranking instanceof Error) return [complaint(ranking)];
  const most = ranking.gains[0]?.gain || 1;
  const line = ({ column, gain }) =>
    h(
      "div",
      { class: "bar-row" },
      h("button", { class: "plain name", title: column, onclick: () => focus(column) }, column),
      h("span", { class: "rail" }, h("span", { class: "bar", style: { width: `${(100 * gain) / most}%` } })),
      h("span", { class: "number" }, gain < NOTHING ? "0" : `−${digits(gain, 2)}`),
    );
  return [
    h("p", { class: "faint" }, t("ask.next.why", { risk: digits(ranking.risk, 3) })),
    ...ranking.gains.slice(0, MOST).map(line),
  ];
}

export function wouldChange(columns, change, apply) {
  if (change instanceof Error) return [complaint(change)];
  const shown = (column, value) =>
    value === null || value === undefined ? t("unknown") : digits(withWeekday(columns, column, value));
  const line = ({ column, now, then }) =>
    h("li", {}, h("strong", {}, column), ` ${shown(column, now)} → ${shown(column, then)}`);
  return [
    h("p", {}, t("becomes", { after: change.after })),
    h("ul", {}, change.changes.map(line)),
    change.smallest ? null : h("p", { class: "faint" }, t("maybe.fewer")),
    h("button", { onclick: apply }, t("try.it")),
  ];
}
