// P(node | parents) of the chosen node.

import { at, get } from "/js/api.js";
import { h } from "/js/dom.js";
import { picker } from "/js/network/asking.js";
import { t } from "/js/words.js";

const MOST_LINES = 200;

export class Tables {
  constructor(view) { this.view = view; }

  async draw() {
    const { view } = this;
    const choose = picker(view, t("table.node"), view.picked, (name) => view.pick(name || null, true));
    if (!view.picked) return [h("p", {}, t("table.why")), choose];
    const found = await get(`${at(view.model.name, "table")}?node=${encodeURIComponent(view.picked)}`);
    const title = `P(${found.node}${found.parents.length ? " | " : ""}${found.parents.join(", ")})`;
    return [choose, h("h2", {}, title), h("div", { class: "cpt", tabindex: "0", role: "region", "aria-label": title }, h("table", {},
      h("thead", {}, h("tr", {}, found.parents.map((name) => h("th", { scope: "col" }, name)), found.states.map((state) => h("th", { class: "n", scope: "col" }, String(state))))),
      h("tbody", {}, found.lines.slice(0, MOST_LINES).map((line, k) => h("tr", {}, found.given[k].map((state) => h("td", {}, String(state))),
        line.map((p) => h("td", { class: "n" }, String(Number(p.toPrecision(6)))))))))),
    found.lines.length > MOST_LINES ? h("p", { class: "faint" }, t("table.more", { n: found.lines.length - MOST_LINES })) : null];
  }
}
