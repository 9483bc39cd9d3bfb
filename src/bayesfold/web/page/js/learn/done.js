// A model that was just learned: how good it is on rows held out, and what can be done with it.

import { at } from "/js/api.js";
import { h, score } from "/js/dom.js";
import { take } from "/js/parts.js";
import { t, termOf } from "/js/words.js";

export function done(job, table, context) {
  const { held_out: scores = {} } = job.result;
  const go = (view) => context.go({ model: job.model, view, ...(view === "judge" ? { table: table.id } : {}) });
  const file = at(job.model, "file");
  const report = `${at(job.model, "report")}?table=${encodeURIComponent(table.id)}`;
  return h(
    "section",
    { class: "card stack", id: "done" },
    h("h2", {}, t("job.done", { model: job.model })),
    h("p", { class: "faint" }, t("held.out", { how: how(scores.how) })),
    h(
      "div",
      { class: "cards" },
      Object.entries(scores)
        .filter(([, m]) => m && typeof m === "object" && "value" in m)
        .map(card),
    ),
    job.notes.map((note) => h("p", { class: "hint" }, note)),
    h(
      "div",
      { class: "line" },
      h("button", { class: "primary", id: "ask-it", onclick: () => go("row") }, t("ask.it")),
      h("button", { onclick: () => go("judge") }, t("judge.it")),
      h("span", { class: "push" }),
      h("button", { id: "save-model", onclick: take(file, `${job.model}.bayes`) }, t("save.model")),
      h("button", { onclick: take(`${file}?format=sql`, `${job.model}.sql`) }, t("save.sql")),
      h("button", { onclick: take(report, `${job.model}.html`) }, t("save.report")),
    ),
  );
}

// How rows were held out, in the reader's words.
export function how(text) {
  const folds = /^(\d+) folds, everything (?:refitted|learned anew) without each$/.exec(text ?? "");
  return folds ? t("folds.anew", { n: folds[1] }) : String(text ?? "");
}

function card([name, { value, low, high }]) {
  const span = low === null || low === undefined ? "" : t("range", { low: score(low), high: score(high) });
  return h(
    "div",
    { class: "score" },
    h("div", { class: "what" }, h("strong", {}, termOf("score", name)), " ", t(`measure.${name}`)),
    h("div", { class: "value" }, score(value)),
    h("div", { class: "span" }, span),
  );
}
