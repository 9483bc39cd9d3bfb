// From a file to a model: drop a table, say what to predict, see what each column is taken for, learn, ask.

import { get, latest, post, remove } from "/js/api.js";
import { fill, h, percent, toast } from "/js/dom.js";
import { done } from "/js/learn/done.js";
import { reason } from "/js/learn/reason.js";
import { complaint, hint, loading } from "/js/parts.js";
import * as state from "/js/state.js";
import { dropZone } from "/js/tables.js";
import { t, termOf } from "/js/words.js";

const FAMILIES = ["categorical", "gaussian", "lognormal", "poisson", "kde", "mdl", "text"];
const KINDS = ["bayes", "naive", "aode", "tan", "kdb", "gaussian", "text"];

export async function mount(main, model, context) {
  const view = new View(main, context);
  const { table } = state.read();
  const { tables } = await get("tables");
  const first = table ?? (tables.length === 1 ? tables[0].id : null); // the one that the server was started with
  if (first) await view.zone.pick(first);
  return view;
}

class View {
  constructor(main, context) {
    this.context = context;
    this.look = latest();
    this.zone = dropZone((table) => this.take(table));
    this.columns = h("div", {});
    this.work = h("div", { "aria-live": "polite" });
    this.element = h(
      "div",
      { class: "sheet steps" },
      h("h1", {}, t("learn.title")),
      hint("learn", t("hint.learn")),
      this.zone,
      this.columns,
      this.work,
    );
    fill(main, this.element);
  }

  close() {
    this.gone = true;
  }

  take(table) {
    this.table = table;
    this.declared = {};
    const remembered = state.read().target;
    const isThere = table.columns.some((c) => c.name === remembered);
    this.target = isThere ? remembered : (table.target ?? table.columns.at(-1).name);
    state.write({ view: "learn", table: table.id, target: this.target });
    this.zone.classList.add("small");
    fill(this.work);
    this.draw();
    this.read();
  }

  // ------------------------------------------------------------------------------------------------ columns

  draw() {
    const { table } = this;
    this.kind = h(
      "select",
      { id: "kind", onchange: () => this.showCommand() },
      KINDS.map((name) => h("option", { value: name }, t(`kind.${name}`))),
    );
    this.target_ = h(
      "select",
      {
        id: "target",
        onchange: () => {
          this.target = this.target_.value;
          state.write({ target: this.target });
          this.read();
        },
      },
      table.columns.map((c) => h("option", { value: c.name, selected: c.name === this.target }, c.name)),
    );
    this.rows = new Map();
    const body = h(
      "tbody",
      {},
      table.columns.map((column) => this.row(column)),
    );
    this.classes = h("p", { class: "faint" });
    this.command = h("code", { class: "line", tabindex: "0", role: "region", "aria-label": t("as.command") });
    fill(
      this.columns,
      h(
        "section",
        { class: "card stack" },
        h(
          "h2",
          {},
          t("table.title", { name: table.name, rows: table.rows.toLocaleString(), columns: table.columns.length }),
        ),
        table.notes.map((note) => h("p", { class: "faint" }, note)),
        h("div", { class: "line" }, h("label", { for: "target" }, h("strong", {}, t("predict"))), this.target_),
        this.classes,
        h(
          "div",
          { class: "wide", tabindex: "0", role: "region", "aria-label": t("columns") },
          h(
            "table",
            { class: "columns" },
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                [t("column"), t("values"), t("missing"), t("taken.for"), t("because")].map((name) =>
                  h("th", { scope: "col" }, name),
                ),
              ),
            ),
            body,
          ),
        ),
        h(
          "div",
          { class: "line" },
          h("label", { for: "kind" }, t("kind")),
          this.kind,
          h("span", { class: "push" }),
          (this.asNetwork = h(
            "button",
            { id: "fit-network", title: t("network.why"), onclick: () => this.network() },
            t("learn.network"),
          )),
          (this.begin = h("button", { class: "primary", id: "fit", onclick: () => this.fit() }, t("learn.it"))),
        ),
        h("div", {}, h("small", { class: "faint" }, t("as.command")), this.command),
      ),
    );
  }

  row(column) {
    const family = h(
      "select",
      {
        "aria-label": t("taken.for.label", { column: column.name }),
        onchange: () => {
          this.declared[column.name] = family.value;
          this.read();
        },
      },
      h("option", { value: "" }, t("automatic")),
      FAMILIES.map((name) => h("option", { value: name }, termOf("family", name))),
      h("option", { value: "-" }, t("leave.out")),
    );
    const why = h("td", { class: "why" });
    const line = h(
      "tr",
      { "data-column": column.name },
      h(
        "td",
        {},
        h("strong", {}, column.name),
        h("div", { class: "faint" }, h("small", {}, t(`holds.${column.kind}`))),
      ),
      h("td", { class: "examples", "data-name": t("values") }, column.examples.join(", "), column.distinct > column.examples.length ? " …" : ""),
      h("td", { "data-name": t("missing") }, column.missing ? percent(column.missing) : ""),
      h("td", { "data-name": t("taken.for") }, family),
      why,
    );
    this.rows.set(column.name, { line, family, why });
    return line;
  }

  lesson() {
    const families = Object.fromEntries(
      Object.entries(this.declared).filter(([name, family]) => family && family !== "-" && name !== this.target),
    );
    const drop = Object.entries(this.declared)
      .filter(([name, family]) => family === "-" && name !== this.target)
      .map(([name]) => name);
    return { target: this.target, families, drop };
  }

  showCommand() {
    const quote = (text) => (/^[\w.,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const { families, drop } = this.lesson();
    const words = ["bayesfold fit", quote(this.table.name), "--target", quote(this.target)];
    if (this.kind.value !== "bayes") words.push("--model", this.kind.value);
    for (const [name, family] of Object.entries(families))
      words.push(...(family === "text" ? ["--text", quote(name)] : ["--as", quote(`${name}=${family}`)]));
    for (const name of drop) words.push("--drop", quote(name));
    this.command.textContent = words.join(" ");
  }

  async read() {
    this.showCommand();
    for (const [name, { line, family, why }] of this.rows) {
      const isTarget = name === this.target;
      family.disabled = isTarget;
      why.textContent = isTarget ? t("is.target") : "…";
      line.classList.toggle("out", this.declared[name] === "-");
    }
    try {
      const reading = await this.look((signal) =>
        post(`tables/${encodeURIComponent(this.table.id)}/columns`, this.lesson(), { signal }),
      );
      if (!reading) return;
      for (const { name, family, why } of reading.columns) {
        const row = this.rows.get(name);
        row.family.options[0].textContent = family ? t("automatic.is", { family: termOf("family", family) }) : t("automatic.out");
        row.why.textContent = reason(why);
        row.line.classList.toggle("out", !family);
      }
      for (const [name, { why }] of this.rows)
        if (this.declared[name] === "-" && name !== this.target) why.textContent = t("left.out");
      fill(
        this.classes,
        t("classes"),
        " ",
        reading.classes
          .slice(0, 12)
          .map(({ label, rows }) => `${label} (${rows.toLocaleString()})`)
          .join(", "),
        reading.classes.length > 12 ? " …" : "",
        reading.unlabelled ? ` · ${t("without.class", { n: reading.unlabelled })}` : "",
      );
      this.begin.disabled = false;
    } catch (error) {
      fill(this.classes, complaint(error));
      this.begin.disabled = true;
    }
  }

  // ------------------------------------------------------------------------------------------------ learning

  async fit() {
    this.begin.disabled = true;
    const bar = h("progress", { "aria-label": t("learning") });
    const said = h("p", { class: "faint" });
    const stop = h("button", { id: "cancel" }, t("cancel"));
    fill(
      this.work,
      h("section", { class: "card stack", tabindex: "-1" }, h("h2", {}, t("learning")), bar, said, h("div", { class: "line" }, stop)),
    );
    this.work.scrollIntoView({ block: "end", behavior: "smooth" });
    this.work.firstChild.focus({ preventScroll: true }); // the next Tab is at Cancel
    try {
      let job = await post(`tables/${encodeURIComponent(this.table.id)}/fit`, {
        ...this.lesson(),
        kind: this.kind.value,
      });
      stop.onclick = () => remove(`jobs/${encodeURIComponent(job.id)}`).catch((error) => toast(error.message));
      while (job.state === "running" && !this.gone) {
        if (job.share !== null) {
          bar.value = job.share;
        } else bar.removeAttribute("value");
        said.textContent = job.said
          ? t("so.far", { said: job.said })
          : t("so.far", { said: `${Math.round(job.seconds)} s` });
        await new Promise((resolve) => setTimeout(resolve, 250));
        job = await get(`jobs/${encodeURIComponent(job.id)}`);
      }
      if (job.state === "done") {
        await this.context.refresh();
        fill(this.work, done(job, this.table, this.context));
        if (document.activeElement === document.body) document.getElementById("ask-it").focus({ preventScroll: true });
        this.work.scrollIntoView({ block: "nearest", behavior: "smooth" });
      } else
        fill(
          this.work,
          h(
            "section",
            { class: "card", id: job.state },
            h("h2", {}, t(`job.${job.state}`)),
            job.problem && job.state === "failed" ? h("p", { role: "alert" }, job.problem) : null,
          ),
        );
    } catch (error) {
      fill(this.work, h("section", { class: "card" }, complaint(error)));
    }
    this.begin.disabled = false;
  }

  // Which column depends on which: a network to look at, arcs as thick as they are strong.
  async network() {
    this.asNetwork.disabled = true;
    fill(this.work, h("section", { class: "card" }, loading(t("learning"))));
    this.work.scrollIntoView({ block: "end", behavior: "smooth" });
    try {
      const learned = await post(`tables/${encodeURIComponent(this.table.id)}/network`, { drop: this.lesson().drop });
      await this.context.refresh();
      const out = Object.entries(learned.left_out);
      if (out.length) toast(t("network.out", { names: out.map(([name, why]) => `${name} (${why})`).join(", ") }));
      this.context.go({ model: learned.model, view: "network" });
    } catch (error) {
      fill(this.work, h("section", { class: "card" }, complaint(error)));
    }
    this.asNetwork.disabled = false;
  }
}
