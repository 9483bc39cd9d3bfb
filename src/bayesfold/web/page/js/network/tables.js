// P(node | parents) of the chosen node, to be read and changed; arcs into it are added and removed here.

import { at, get, post } from "/js/api.js";
import { h, toast } from "/js/dom.js";
import { picker } from "/js/network/asking.js";
import { take } from "/js/parts.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

const MOST_LINES = 200;
const ROUNDING = 1e-6;

export class Tables {
  constructor(view) {
    this.view = view;
    this.draft = null;
  }

  async draw() {
    const { view } = this;
    const choose = picker(view, t("table.node"), view.picked, (name) => view.pick(name || null, true));
    const save = h(
      "button",
      { id: "save-bif", onclick: take(`${at(view.model.name, "file")}?format=bif`, "network.bif") },
      t("save.bif"),
    );
    if (!view.picked) return [h("p", {}, t("table.why")), choose, save];
    const table = await get(`${at(view.model.name, "table")}?node=${encodeURIComponent(view.picked)}`);
    if (this.draft?.node !== table.node || this.draft.version !== view.model.version)
      this.draft = {
        node: table.node,
        version: view.model.version,
        lines: table.lines.map((line) => [...line]),
        changed: false,
      };
    const title = `P(${table.node}${table.parents.length ? " | " : ""}${table.parents.join(", ")})`;
    const store = h(
      "button",
      {
        class: "primary",
        id: "save-table",
        disabled: !this.draft.changed,
        onclick: () => this.edit({ tables: { [table.node]: this.draft.lines } }),
      },
      t("table.save"),
    );
    const short = table.lines.length <= MOST_LINES;
    return [
      choose,
      h("h2", {}, title),
      h(
        "div",
        { class: "cpt", tabindex: "0", role: "region", "aria-label": title },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              table.parents.map((name) => h("th", { scope: "col" }, name)),
              table.states.map((state_) => h("th", { class: "n", scope: "col" }, String(state_))),
              h("th", { class: "n", scope: "col" }, t("sum")),
            ),
          ),
          h(
            "tbody",
            {},
            table.lines.slice(0, MOST_LINES).map((_, k) => this.line(table, k, short, store)),
          ),
        ),
      ),
      short
        ? h("div", { class: "line" }, store)
        : h("p", { class: "faint" }, t("table.more", { n: table.lines.length - MOST_LINES })),
      this.arcs(table),
      h("p", { class: "faint" }, t("edit.why")),
      save,
    ];
  }

  line(table, k, may, store) {
    const sum = h("td", { class: "n sum" });
    const row = h(
      "tr",
      {},
      table.given[k].map((state_) => h("td", {}, String(state_))),
      table.states.map((state_, j) =>
        h(
          "td",
          { class: "n" },
          may
            ? h("input", {
                type: "number",
                min: "0",
                max: "1",
                step: "any",
                value: String(Number(this.draft.lines[k][j].toPrecision(9))),
                "data-line": String(k),
                "data-state": String(state_),
                "aria-label": t("cell.label", { node: table.node, state: state_, given: table.given[k].join(", ") }),
                oninput: (event) => {
                  this.draft.lines[k][j] = event.target.value === "" ? NaN : Number(event.target.value);
                  this.draft.changed = true;
                  check();
                },
              })
            : String(Number(this.draft.lines[k][j].toPrecision(6))),
        ),
      ),
      sum,
    );
    const check = () => {
      const total = this.draft.lines[k].reduce((a, b) => a + b, 0);
      const wrong = !(Math.abs(total - 1) <= ROUNDING) || this.draft.lines[k].some((p) => !(p >= 0));
      row.classList.toggle("off", wrong);
      sum.textContent = wrong
        ? t("sums.to", { total: Number.isFinite(total) ? String(Number(total.toPrecision(6))) : "?" })
        : "1";
      store.disabled =
        !this.draft.changed ||
        this.draft.lines.some(
          (line) => !(Math.abs(line.reduce((a, b) => a + b, 0) - 1) <= ROUNDING) || line.some((p) => !(p >= 0)),
        );
    };
    check();
    return row;
  }

  arcs(table) {
    const { view } = this;
    const others = view.whole.nodes.filter((node) => node.name !== table.node && !table.parents.includes(node.name));
    return h(
      "div",
      { class: "stack" },
      h("h3", {}, t("arcs.into", { node: table.node })),
      h(
        "div",
        { class: "chips" },
        table.parents.map((name) =>
          h(
            "span",
            { class: "chip" },
            `${name} →`,
            h(
              "button",
              {
                "aria-label": t("arc.remove", { parent: name, child: table.node }),
                onclick: () => this.edit({ arcs: [{ action: "remove", parent: name, child: table.node }] }),
              },
              "×",
            ),
          ),
        ),
      ),
      h(
        "select",
        {
          id: "add-arc",
          "aria-label": t("arc.add", { child: table.node }),
          onchange: (event) => {
            if (event.target.value)
              this.edit({ arcs: [{ action: "add", parent: event.target.value, child: table.node }] });
          },
        },
        h("option", { value: "" }, t("arc.add", { child: table.node })),
        others.map((node) => h("option", { value: node.name }, node.name)),
      ),
    );
  }

  async edit(changes) {
    const { view } = this;
    try {
      const edited = await post(at(view.model.name, "edit"), { ...changes, version: view.model.version });
      this.draft = null;
      await view.context.refresh();
      view.context.go({ ...state.read(), model: edited.model, edit: String(edited.version) });
    } catch (error) {
      toast(error.message);
      const now = await get(at(view.model.name)).catch(() => view.model);
      if (now.version === view.model.version) {
        view.panel.refresh();
        return;
      }
      this.draft = null; // another window has changed the network: show what it is now
      view.context.go({ ...state.read(), edit: String(now.version) });
    }
  }
}
