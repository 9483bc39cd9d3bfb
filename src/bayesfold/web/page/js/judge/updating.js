// Learn or forget the rows of the table: what would change is shown, then it may be saved.

import { at, post } from "/js/api.js";
import { digits, fill, h, percent, table as tableOf, toast } from "/js/dom.js";
import { complaint, loading } from "/js/parts.js";
import { t } from "/js/words.js";

export class Updating {
  constructor(view) {
    this.view = view;
    this.out = h("div", { class: "stack", "aria-live": "polite" });
    this.writable = view.context.health().writable;
    this.element = h(
      "section",
      { class: "card stack" },
      h("h2", {}, t("update")),
      h("p", { class: "faint" }, t("update.why"), this.writable ? "" : ` ${t("update.readonly")}`),
      h(
        "div",
        { class: "line" },
        ["learn", "forget"].map((action) =>
          h("button", { id: `try-${action}`, onclick: () => this.look(action) }, t(`try.${action}`)),
        ),
      ),
      this.out,
    );
  }

  body(action, more = {}) {
    return { table: this.view.table.id, action, ...more };
  }

  async look(action) {
    fill(this.out, loading());
    try {
      const changes = await post(at(this.view.model.name, "rows"), this.body(action));
      fill(
        this.out,
        tableOf(
          [t("class"), t("rows.before"), t("rows.after"), t("prior.before"), t("prior.after")],
          changes.classes.map((c) => [
            c.label,
            c.before.toLocaleString(),
            c.after.toLocaleString(),
            percent(c.prior_before),
            percent(c.prior_after),
          ]),
        ),
        h(
          "p",
          { id: "otherwise" },
          t("otherwise", { n: changes.otherwise, rows: changes.rows, moved: digits(100 * changes.moved, 3) }),
        ),
        changes.warnings.map((said) => h("p", { class: "hint" }, said)),
        this.writable
          ? h(
              "button",
              { class: "primary", id: "save-rows", onclick: () => this.save(action, changes.version) },
              t(`save.${action}`),
            )
          : null,
      );
    } catch (error) {
      fill(this.out, complaint(error));
    }
  }

  async save(action, version) {
    try {
      await post(at(this.view.model.name, "rows"), this.body(action, { save: true, version }));
      toast(t("saved"));
      await this.view.context.refresh();
      this.view.judge();
    } catch (error) {
      fill(this.out, complaint(error));
    }
  }
}
