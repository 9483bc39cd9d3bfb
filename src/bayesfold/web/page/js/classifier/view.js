// A classifier that is asked about one row: what it believes, why, what it decides, and what would change that.

import { at, latest, post } from "/js/api.js";
import { bars, debounce, digits, fill, h } from "/js/dom.js";
import { nextQuestion, wouldChange } from "/js/classifier/afterthoughts.js";
import { withDates } from "/js/classifier/dates.js";
import { coloured, coloursOf } from "/js/classifier/colours.js";
import { Costs } from "/js/classifier/costs.js";
import { Field } from "/js/classifier/fields.js";
import { NomogramCard } from "/js/classifier/nomogram_card.js";
import { waterfall } from "/js/classifier/waterfall.js";
import { complaint, hint, loading } from "/js/parts.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

const FEW = 14;
const MANY = 80;

export async function mount(main, model) {
  const view = new View(main, model);
  view.restore(state.read());
  return view;
}

class View {
  constructor(main, model) {
    this.model = model;
    this.colours = coloursOf(model);
    this.fields = model.columns.map((column) => new Field(column, this.colours, () => this.ask()));
    this.costs = new Costs(model, () => this.ask());
    this.now = latest();
    this.later = latest();
    this.think = debounce(() => this.reflect(), 350);
    const isText = model.columns.every((column) => column.kind === "words");
    const box = (id, title, ...content) => {
      this[id] = h("div", { id, "aria-live": id === "decision" ? "polite" : null }, ...content);
      return h("section", { class: id === "decision" ? "card first" : "card" }, h("h2", {}, title), this[id]);
    };
    this.nomogram = new NomogramCard(model);
    this.of = this.chooser("of");
    this.against = this.chooser("against");
    this.why = h("div", {});
    this.element = h(
      "div",
      { class: "sheet asking" },
      h(
        "section",
        { class: "form", "aria-label": t("form") },
        h(
          "div",
          { class: "line" },
          h("h1", {}, t("about.row", { target: model.target })),
          h("span", { class: "push" }),
          h(
            "button",
            {
              id: "forget-row",
              onclick: () => {
                for (const field of this.fields) field.tell(null);
                this.ask();
              },
            },
            t("all.unknown"),
          ),
        ),
        hint("row", t("hint.row")),
        this.legend(),
        this.fields.length > FEW ? this.search() : null,
        this.fields.map((field) => field.element),
      ),
      h(
        "div",
        { class: "answers" },
        box("decision", t("decision")),
        h(
          "section",
          { class: "card" },
          h(
            "div",
            { class: "line why-head" },
            h("h2", {}, t("why")),
            this.of,
            h("span", { class: "faint" }, t("against")),
            this.against,
          ),
          this.why,
        ),
        // of one text, nothing is left to ask, and no word is the one to change
        isText
          ? null
          : h("div", { class: "pair" }, box("next", t("ask.next"), loading()), box("flip", t("would.change"), loading())),
        h("section", { class: "card" }, h("h2", {}, t("costs")), this.costs.element),
      ),
      isText ? null : this.nomogram.element,
    );
    fill(main, this.element);
  }

  // Which colour is which class, in curves, bars and choices.
  legend() {
    const own = coloured(this.model);
    const { classes } = this.model;
    if (!this.model.columns.some((column) => column.density.length)) return null;
    return h(
      "div",
      { class: "legend-line", "aria-label": t("colours") },
      own.map((k) => h("span", {}, h("i", { style: { background: this.colours[k] } }), String(classes[k]))),
      own.length < classes.length ? h("span", {}, t("classes.without.curves", { n: classes.length - own.length })) : null,
    );
  }

  // Of very many columns some are shown: what is looked for, and what is known.
  search() {
    const show = () => {
      const text = field.value.trim().toLowerCase();
      let left = MANY;
      for (const one of this.fields) {
        const matches = text ? one.column.name.toLowerCase().includes(text) : true;
        one.element.hidden = !(one.value !== null || (matches && left > 0));
        left -= matches ? 1 : 0;
      }
    };
    const field = h("input", {
      type: "search",
      id: "search",
      placeholder: t("search.column"),
      "aria-label": t("search.column"),
      oninput: show,
    });
    show();
    return field;
  }

  chooser(which) {
    return h(
      "select",
      { id: which, "aria-label": t(`explain.${which}`), onchange: () => this.ask() },
      h("option", { value: "" }, t(which === "of" ? "its.decision" : "next.class")),
      this.model.classes.map((c, k) => h("option", { value: String(k) }, String(c))),
    );
  }

  restore(saved) {
    for (const field of this.fields) {
      const value = saved.row?.[field.column.name];
      field.tell(value === undefined ? null : value);
    }
    this.costs.read(saved);
    for (const which of ["of", "against"]) {
      const k = this.model.classes.findIndex((c) => String(c) === saved[which]);
      this[which].value = k < 0 ? "" : String(k);
    }
    this.ask();
  }

  get row() {
    return Object.fromEntries(
      this.fields.filter((field) => field.value !== null).map((field) => [field.column.name, field.value]),
    );
  }

  case() {
    return { row: this.row, ...this.costs.body() };
  }

  async ask() {
    const named = {};
    if (this.of.value !== "") named.of = this.model.classes[Number(this.of.value)];
    if (this.against.value !== "") named.against = this.model.classes[Number(this.against.value)];
    state.write({
      row: this.row,
      ...this.costs.address(),
      of: named.of === undefined ? "" : String(named.of),
      against: named.against === undefined ? "" : String(named.against),
    });
    this.outdate();
    try {
      const answers = await this.now((signal) =>
        Promise.all([
          post(at(this.model.name, "decide"), this.case(), { signal }),
          post(at(this.model.name, "explain"), { ...this.case(), ...named }, { signal }).catch((error) => {
            if (error.name === "AbortError") throw error;
            return error;
          }),
        ]),
      );
      if (!answers) return;
      [this.answer, this.explained] = answers;
      this.show();
      this.think();
    } catch (error) {
      fill(this.decision, complaint(error));
      this.afterthink([], []);
    }
  }

  // What was said of the row as it was: its buttons would act on another row than they speak of.
  outdate() {
    this.later.drop();
    for (const place of [this.next, this.flip].filter(Boolean)) {
      place.setAttribute("aria-busy", "true");
      for (const button of place.querySelectorAll("button")) button.disabled = true;
    }
  }

  afterthink(...told) {
    [this.next, this.flip].forEach((place, k) => {
      place?.removeAttribute("aria-busy");
      if (place) fill(place, told[k]);
    });
  }

  show() {
    const { answer } = this;
    const costly = this.costs.given || this.model.loss !== null || this.model.reject_cost !== null;
    const order = answer.classes.map((_, k) => k);
    if (order.length > 12) order.sort((a, b) => answer.probabilities[b] - answer.probabilities[a]);
    const likeliest = order.slice(0, 12);
    const decided = answer.rejected ? -1 : answer.classes.indexOf(answer.decision);
    if (decided >= 0 && !likeliest.includes(decided)) likeliest[likeliest.length - 1] = decided; // by what mistakes cost
    const others = answer.classes.length - likeliest.length;
    fill(
      this.decision,
      h(
        "div",
        { class: "decision" },
        h(
          "strong",
          { id: "decided", "data-rejected": String(answer.rejected) },
          answer.rejected ? t("undecided") : String(answer.decision),
        ),
        h(
          "span",
          { class: "badge" },
          costly ? t("expected.cost", { cost: digits(answer.risk, 4) }) : t("most.probable"),
        ),
      ),
      h(
        "div",
        { id: "posterior", "data-p": JSON.stringify(answer.probabilities) },
        bars(
          likeliest.map((k) => answer.classes[k]),
          likeliest.map((k) => answer.probabilities[k]),
          likeliest.map((k) => this.colours[k]),
        ),
        others ? h("p", { class: "faint" }, t("classes.more", { n: others })) : null,
      ),
      costly
        ? h(
            "p",
            { class: "faint" },
            t("risks"),
            " ",
            likeliest.map((k) => `${answer.classes[k]} ${digits(answer.risks[k], 3)}`).join(" · "),
          )
        : null,
    );
    if (this.explained instanceof Error) fill(this.why, complaint(this.explained));
    else {
      fill(this.why, waterfall(withDates(this.model.columns, this.explained), "waterfall"));
      const says = new Map(
        this.explained.reasons
          .filter((r) => !this.fields.some((f) => f.column.name === r.part))
          .map((r) => [r.part.toLowerCase().split(": ").at(-1), r.contribution]),
      );
      for (const field of this.fields) field.colourWords?.(says);
    }
    if (this.next && !(this.explained instanceof Error)) this.nomogram.draw(this.explained, answer, this.row);
  }

  // What takes longer is asked when the hand rests.
  async reflect() {
    if (!this.next) return;
    const answers = await this.later((signal) => {
      const quiet = (error) => {
        if (error.name === "AbortError") throw error;
        return error;
      };
      return Promise.all([
        post(at(this.model.name, "ask"), this.case(), { signal }).catch(quiet),
        post(at(this.model.name, "change"), this.case(), { signal }).catch(quiet),
      ]);
    });
    if (!answers) return;
    const [questions, change] = answers;
    this.afterthink(
      nextQuestion(questions, (column) => this.focus(column)),
      wouldChange(this.model.columns, change, () => this.apply(change.changes)),
    );
  }

  focus(column) {
    const field = this.fields.find((one) => one.column.name === column);
    field.element.hidden = false;
    field.element.scrollIntoView({ block: "center", behavior: "smooth" });
    field.element
      .querySelector("input:not([type=range]), select, textarea, [role=radio][tabindex='0']")
      ?.focus({ preventScroll: true });
  }

  apply(changes) {
    for (const { column, then } of changes) this.fields.find((one) => one.column.name === column)?.tell(then);
    this.ask();
  }
}
