// How good a model is on a table whose classes are known, beside another model; and what it may learn or forget.

import { at, latest, post } from "/js/api.js";
import { digits, fill, h, percent, score, signed, table as tableOf } from "/js/dom.js";
import { withDates } from "/js/classifier/dates.js";
import { waterfall } from "/js/classifier/waterfall.js";
import { draw } from "/js/judge/pictures.js";
import { Updating } from "/js/judge/updating.js";
import { how } from "/js/learn/done.js";
import { complaint, hint, loading, take } from "/js/parts.js";
import * as state from "/js/state.js";
import { dropZone } from "/js/tables.js";
import { t, termOf } from "/js/words.js";

export async function mount(main, model, context) {
  const view = new View(main, model, context);
  const { table } = state.read();
  if (table) await view.zone.pick(table);
  return view;
}

class View {
  constructor(main, model, context) {
    Object.assign(this, { model, context });
    this.now = latest();
    this.zone = dropZone((table) => this.take(table));
    this.result = h("div", { class: "steps", "aria-live": "polite" });
    this.others = context.models().filter((m) => m.kind === "classifier" && m.name !== model.name);
    this.other = h(
      "select",
      { id: "other", onchange: () => this.judge() },
      h("option", { value: "" }, t("no.other")),
      this.others.map((m) => h("option", { value: m.name, selected: m.name === state.read().other }, m.name)),
    );
    this.about = h(
      "details",
      { class: "card" },
      h("summary", {}, t("about.model")),
      model.sections.map((s) =>
        h("div", {}, h("h3", {}, s.title), tableOf(s.header, s.lines.slice(0, 60), s.header.length)),
      ),
    );
    fill(
      main,
      h(
        "div",
        { class: "sheet steps" },
        h("h1", {}, t("judge.title", { model: model.name })),
        hint("judge", t("hint.judge")),
        this.zone,
        this.result,
        this.about,
      ),
    );
    this.redraw = () => this.pictures();
    addEventListener("theme", this.redraw);
  }

  close() {
    removeEventListener("theme", this.redraw);
  }

  take(table) {
    this.table = table;
    this.zone.classList.add("small");
    state.write({ table: table.id });
    this.judge();
  }

  // The scores of rows as new ones; or, of rows that the model has learned, each by a model that has not seen it.
  async judge(held = false) {
    state.write({ other: this.other.value });
    fill(this.result, loading(t("judging")));
    try {
      const body = { table: this.table.id, leave_out: held };
      if (this.other.value) body.other = this.other.value;
      const judgement = await this.now((signal) => post(at(this.model.name, "evaluate"), body, { signal }));
      if (!judgement) return; // another table, or another model beside it, was chosen meanwhile
      this.judgement = judgement;
      this.held = held;
      this.show();
    } catch (error) {
      fill(this.result, h("section", { class: "card" }, complaint(error)));
    }
  }

  show() {
    const { judgement, table } = this;
    const [name, second] = Object.keys(judgement.scores);
    const range = (m) => (m.low === null ? "" : t("range", { low: score(m.low), high: score(m.high) }));
    const cards = Object.entries(judgement.scores[name]).map(([measure, m]) =>
      h(
        "div",
        { class: "score", "data-measure": measure },
        h("div", { class: "what" }, h("strong", {}, termOf("score", measure)), " ", t(`measure.${measure}`)),
        h("div", { class: "value", "data-value": String(m.value) }, score(m.value)),
        h("div", { class: "span" }, range(m)),
      ),
    );
    const id = encodeURIComponent(table.id);
    // of two models, the same picture of each stands side by side
    const kinds = Object.keys(judgement.pictures[name]);
    this.places = kinds.flatMap((kind) =>
      Object.keys(judgement.pictures)
        .filter((one) => kind in judgement.pictures[one])
        .map((one) => {
          const place = h("div", { class: "figure", role: "img", "aria-label": kind });
          return [judgement.pictures[one][kind], one, place];
        }),
    );
    fill(
      this.result,
      h(
        "section",
        { class: "card stack" },
        h(
          "div",
          { class: "line" },
          h("h2", {}, t("scores", { name: table.name, rows: judgement.rows.toLocaleString() })),
          h("span", { class: "push" }),
          this.others.length ? [h("label", { for: "other" }, t("beside")), this.other] : null,
        ),
        judgement.learned
          ? h(
              "p",
              { class: "hint", id: "flattered" },
              t("flattered"),
              " ",
              h("button", { id: "hold-out", onclick: () => this.judge(true) }, t("hold.out")),
            )
          : null,
        this.held ? h("p", { class: "hint", id: "held" }, t("held.out", { how: how(judgement.how) })) : null,
        judgement.unlabelled ? h("p", { class: "faint" }, t("without.class", { n: judgement.unlabelled })) : null,
        h("div", { class: "cards", id: "scores" }, cards),
        second
          ? tableOf(
              [t("measure"), name, second, t("difference"), t("interval")],
              Object.entries(judgement.differences).map(([measure, m]) => [
                termOf("score", measure),
                score(judgement.scores[name][measure].value),
                score(judgement.scores[second][measure]?.value),
                m.value === null ? "–" : signed(m.value, 3),
                range(m),
              ]),
            )
          : null,
        h(
          "div",
          { class: "line" },
          h(
            "button",
            { onclick: take(`${at(this.model.name, "answers")}?table=${id}`, "answers.csv") },
            t("save.answers"),
          ),
          h(
            "button",
            { onclick: take(`${at(this.model.name, "report")}?table=${id}`, "report.html") },
            t("save.report"),
          ),
          h("button", { onclick: take(at(this.model.name, "file"), "model.bayes") }, t("save.model")),
          h("button", { onclick: take(`${at(this.model.name, "file")}?format=sql`, "model.sql") }, t("save.sql")),
        ),
      ),
      h(
        "section",
        { class: "pictures" },
        this.places.map(([, one, place]) => h("div", { class: "card" }, second ? h("h3", {}, one) : null, place)),
      ),
      this.mistakes(),
      new Updating(this).element,
    );
    this.pictures();
  }

  async pictures() {
    if (!this.judgement) return;
    try {
      for (const [picture, , place] of this.places) await draw(place, picture);
    } catch {
      for (const [, , place] of this.places) fill(place, t("no.plotly"));
    }
  }

  mistakes() {
    const { judgement } = this;
    if (!judgement.mistakes.length)
      return h("section", { class: "card" }, h("h2", {}, t("mistakes")), h("p", {}, t("no.mistakes")));
    return h(
      "section",
      { class: "card" },
      h("h2", {}, t("mistakes")),
      h("p", { class: "faint" }, t("mistakes.why", { wrong: judgement.wrong, rows: judgement.rows })),
      judgement.mistakes.map((m) =>
        h(
          "details",
          { class: "mistake" },
          h(
            "summary",
            {},
            t("mistake", {
              row: m.row,
              truth: m.truth,
              decision: m.decision ?? t("undecided"),
              p: percent(m.probability),
            }),
          ),
          h(
            "div",
            { class: "cells" },
            Object.entries(m.cells)
              .filter(([, v]) => v !== null && v !== "")
              .map(([name, value]) => h("span", {}, `${name} = ${digits(value)}`)),
          ),
          waterfall(withDates(this.model.columns, { ...m, decision: m.of })),
          this.model.columns.some((c) => c.kind === "words")
            ? null
            : h(
                "button",
                {
                  onclick: () =>
                    this.context.go({
                      model: this.model.name,
                      view: "row",
                      row: Object.fromEntries(Object.entries(m.cells).filter(([, v]) => v !== null && v !== "")),
                    }),
                },
                t("open.row"),
              ),
        ),
      ),
    );
  }
}
