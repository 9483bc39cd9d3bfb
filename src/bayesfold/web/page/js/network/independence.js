// d-separation: choose two sides and what is known; see each path, who blocks it, and by which rule.

import { at, post } from "/js/api.js";
import { h } from "/js/dom.js";
import { complaint } from "/js/parts.js";
import { picker } from "/js/network/asking.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

export class Independence {
  constructor(view) {
    this.view = view;
    const saved = state.read();
    const names = new Set(view.layout.nodes.map((node) => node.name));
    Object.assign(this, {
      a: names.has(saved.a) ? saved.a : "",
      b: names.has(saved.b) ? saved.b : "",
      own: (saved.given ?? []).filter?.((n) => names.has(n)) ?? [],
    });
  }

  // What is known: what was seen, and what was added here.
  get given() {
    return [...new Set([...this.view.evidence.see.keys(), ...this.own])].filter(
      (name) => name !== this.a && name !== this.b,
    );
  }

  take(name, more) {
    if (more) this.own = this.own.includes(name) ? this.own.filter((n) => n !== name) : [...this.own, name];
    else if (name === this.a) this.a = "";
    else if (name === this.b) this.b = "";
    else if (!this.a) this.a = name;
    else this.b = name;
    this.view.panel.refresh();
    return true;
  }

  leave() {
    const { graph } = this.view;
    graph.trace(null);
    for (const cls of ["is-a", "is-b", "is-given", "blocks", "opens"]) graph.mark([], cls);
  }

  async draw() {
    const { view } = this;
    this.leave();
    view.graph.mark([this.a].filter(Boolean), "is-a");
    view.graph.mark([this.b].filter(Boolean), "is-b");
    view.graph.mark(this.given, "is-given");
    state.write({ a: this.a, b: this.b, given: this.own });
    const refresh = () => view.panel.refresh();
    const left = view.layout.nodes.filter((node) => ![this.a, this.b, ...this.given].includes(node.name));
    const content = [
      h("p", {}, t("dsep.why")),
      picker(view, t("dsep.a"), this.a, (name) => {
        this.a = name;
        if (this.b === name) this.b = "";
        refresh();
      }),
      picker(view, t("dsep.b"), this.b, (name) => {
        this.b = name;
        if (this.a === name) this.a = "";
        refresh();
      }),
      h(
        "div",
        { class: "stack" },
        h("span", {}, t("dsep.given")),
        h(
          "div",
          { class: "chips" },
          this.given.map((name) =>
            h(
              "span",
              { class: "chip" },
              name,
              h(
                "button",
                {
                  "aria-label": t("clear.one", { what: name }),
                  onclick: () => {
                    if (this.own.includes(name)) {
                      this.take(name, true);
                    } else view.act.forget(name);
                  },
                },
                "×",
              ),
            ),
          ),
        ),
        h(
          "select",
          {
            "aria-label": t("dsep.add"),
            onchange: (event) => {
              if (event.target.value) this.take(event.target.value, true);
            },
          },
          h("option", { value: "" }, t("dsep.add")),
          left.map((node) => h("option", { value: node.name }, node.name)),
        ),
      ),
    ];
    if (!this.a || !this.b) return content;
    let separation;
    try {
      separation = await post(at(view.model.name, "dsep"), { a: [this.a], b: [this.b], given: this.given });
    } catch (error) {
      return [...content, complaint(error)];
    }
    const shade = separation.independent ? "yes" : "no";
    content.push(h("p", { class: `verdict ${shade}`, id: "verdict" }, this.verdict(separation)));
    const paths = separation.paths.map((path) => ({ ...path, nodes: path.text.split(/ (?:->|<-) /) }));
    content.push(...paths.map((path) => this.path(path)));
    if (!separation.complete) content.push(h("p", { class: "faint" }, t("dsep.more")));
    if (!separation.independent && separation.separator)
      content.push(
        h(
          "p",
          { class: "faint" },
          separation.separator.length ? t("dsep.would", { names: separation.separator.join(", ") }) : t("dsep.nothing"),
        ),
      );
    if (paths.length) this.mark(paths[0]);
    return content;
  }

  verdict(separation) {
    const given = this.given.length ? t("dsep.once", { names: this.given.join(", ") }) : "";
    return t(separation.independent ? "dsep.yes" : "dsep.no", { a: this.a, b: this.b, given });
  }

  mark(path) {
    this.view.graph.trace(path);
    this.view.graph.mark(
      path.steps.filter((step) => !step.open).map((step) => step.node),
      "blocks",
    );
    this.view.graph.mark(path.open ? path.steps.map((step) => step.node) : [], "opens");
  }

  path(path) {
    const named = path.open ? path.steps : path.steps.filter((step) => !step.open);
    return h(
      "div",
      {
        class: `path ${path.open ? "open" : "blocked"}`,
        tabindex: "0",
        onmouseenter: () => this.mark(path),
        onfocus: () => this.mark(path),
      },
      h("div", { class: "text" }, path.text.replaceAll("->", "→").replaceAll("<-", "←")),
      h("div", {}, path.open ? t("path.open") : t("path.blocked")),
      named.map((step) => h("div", { class: "faint" }, this.rule(step))),
    );
  }

  rule(step) {
    const known = this.given.includes(step.node);
    const why =
      step.rule !== "head-to-head"
        ? known
          ? "rule.known"
          : "rule.unknown"
        : step.open
          ? known
            ? "rule.collider.known"
            : "rule.collider.below"
          : "rule.collider.unknown";
    return t(why, { node: step.node, rule: t(`rule.${step.rule}`) });
  }
}
