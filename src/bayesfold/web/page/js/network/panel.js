// What stands beside the graph: one subject per tab, worked out when it is shown.

import { fill, h } from "/js/dom.js";
import { asking } from "/js/network/asking.js";
import { Independence } from "/js/network/independence.js";
import { likeliest } from "/js/network/likeliest.js";
import { observed } from "/js/network/observed.js";
import { sums } from "/js/network/sums.js";
import { Tables } from "/js/network/tables.js";
import { complaint, loading, tabs } from "/js/parts.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

export class Panel {
  constructor(view) {
    this.view = view;
    this.independence = new Independence(view);
    this.tables = new Tables(view);
    this.subjects = {
      evidence: observed,
      ask: asking,
      likeliest,
      independence: () => this.independence.draw(),
      sums,
      table: () => this.tables.draw(),
    };
    this.tabs = tabs(
      Object.keys(this.subjects).map((name) => [name, t(`tab.${name}`)]),
      "evidence",
      (name) => this.show(name),
      t("panel"),
    );
    this.body = h("div", { class: "panel-body", role: "tabpanel", id: "tab-panel", tabindex: "0" });
    this.element = h("aside", { class: "panel", "aria-label": t("panel") }, this.tabs.element, this.body);
    this.round = 0;
  }

  // Clicks on nodes are the independence tab's while it is open.
  takes(name, more) {
    return this.chosen === "independence" && this.independence.take(name, more);
  }

  show(name) {
    const next = name in this.subjects ? name : "evidence";
    if (this.chosen !== next) {
      const before = this.view.canvas.clientWidth;
      this.chosen = next;
      this.view.element.dataset.tab = next;
      if (this.view.canvas.clientWidth !== before) this.view.fit();
      if (next !== "independence") this.independence.leave();
      this.tabs.select(next);
      this.body.setAttribute("aria-labelledby", `tab-${next}`);
      state.write({ tab: next === "evidence" ? "" : next });
      fill(this.body, loading());
    }
    return this.refresh();
  }

  async refresh() {
    if (!this.chosen) return;
    const round = (this.round += 1);
    try {
      const content = await this.subjects[this.chosen](this.view);
      if (round === this.round) fill(this.body, content);
    } catch (error) {
      if (round === this.round) fill(this.body, complaint(error));
    }
  }
}
