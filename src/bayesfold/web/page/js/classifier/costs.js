// What decisions cost, as a matrix that can be changed: loss[decision][truth], and what it costs not to decide.

import { h } from "/js/dom.js";
import { t } from "/js/words.js";

export class Costs {
  constructor(model, changed) {
    this.classes = model.classes;
    this.plain = this.classes.map((_, i) => this.classes.map((__, j) => Number(i !== j)));
    this.own = model.loss ?? this.plain;
    this.matrix = structuredClone(this.own);
    this.reject = model.reject_cost;
    this.ownReject = model.reject_cost;
    this.changed = changed;
    this.element = h("div", { class: "stack" });
    this.draw();
  }

  get given() {
    return JSON.stringify(this.matrix) !== JSON.stringify(this.own) || this.reject !== this.ownReject;
  }

  body() {
    const loss = Object.fromEntries(
      this.classes.map((d, i) => [
        String(d),
        Object.fromEntries(this.classes.map((c, j) => [String(c), this.matrix[i][j]])),
      ]),
    );
    return this.given ? { loss, ...(this.reject === null ? {} : { reject_cost: this.reject }) } : {};
  }

  read(saved) {
    if (Array.isArray(saved.loss) && saved.loss.length === this.classes.length)
      this.matrix = saved.loss.map((line) => line.map(Number));
    if (saved.reject !== undefined && Number.isFinite(Number(saved.reject))) this.reject = Number(saved.reject);
    this.draw();
  }

  address() {
    return this.given ? { loss: this.matrix, reject: this.reject } : { loss: null, reject: null };
  }

  draw() {
    const cell = (i, j) =>
      h("input", {
        type: "number",
        min: "0",
        step: "any",
        value: String(this.matrix[i][j]),
        "data-decision": String(this.classes[i]),
        "data-truth": String(this.classes[j]),
        "aria-label": t("cost.label", { decision: this.classes[i], truth: this.classes[j] }),
        oninput: (event) => {
          const x = Number(event.target.value);
          if (event.target.value !== "" && Number.isFinite(x)) {
            this.matrix[i][j] = x;
            this.changed();
          }
        },
      });
    const reject = h("input", {
      type: "number",
      min: "0",
      step: "any",
      id: "reject",
      value: this.reject === null ? "" : String(this.reject),
      placeholder: t("never"),
      oninput: (event) => {
        this.reject = event.target.value === "" ? null : Number(event.target.value);
        this.changed();
      },
    });
    this.element.replaceChildren(
      h("p", { class: "faint" }, t("costs.why")),
      h(
        "div",
        { class: "wide" },
        h(
          "table",
          { class: "loss" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", {}, t("decided.true")),
              this.classes.map((c) => h("th", { scope: "col" }, String(c))),
            ),
          ),
          h(
            "tbody",
            {},
            this.classes.map((d, i) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, String(d)),
                this.classes.map((_, j) => h("td", {}, cell(i, j))),
              ),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "line" },
        h("label", { for: "reject" }, t("reject.cost")),
        reject,
        h(
          "button",
          {
            onclick: () => {
              this.matrix = structuredClone(this.own);
              this.reject = this.ownReject;
              this.draw();
              this.changed();
            },
          },
          t("reset"),
        ),
      ),
    );
  }
}
