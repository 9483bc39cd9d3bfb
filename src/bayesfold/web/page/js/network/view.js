// A network that can be asked by clicking: what is seen or set, what that changes, and why.

import { at, get, latest, post } from "/js/api.js";
import { fill, h, percent, toast } from "/js/dom.js";
import { Camera } from "/js/network/camera.js";
import { handles } from "/js/network/drawing.js";
import { Evidence, leaning } from "/js/network/evidence.js";
import { Graph } from "/js/network/graph.js";
import { Panel } from "/js/network/panel.js";
import { loading } from "/js/parts.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

const MANY = 25;

export async function mount(main, model, context) {
  const whole = await get(at(model.name, "graph"));
  const { around } = state.read();
  const focused = around && whole.nodes.some((node) => node.name === around);
  const layout = focused ? await get(`${at(model.name, "graph")}?around=${encodeURIComponent(around)}`) : whole;
  const view = new View(main, model, layout, context, whole, focused ? around : "");
  await view.start();
  return view;
}

class View {
  constructor(main, model, layout, context, whole, around) {
    Object.assign(this, {
      main,
      model,
      layout,
      context,
      whole,
      around,
      evidence: new Evidence(whole.nodes),
      mode: "see",
      picked: null,
      beliefs: null,
      changes: [],
      last: latest(),
    });
    this.act = {
      observe: (name, k) => this.change((e) => e.toggle(name, k, this.mode), true),
      forget: (name) => this.change((e) => e.clear(name), true),
      lean: (name, k, belief) => this.lean(name, k, belief),
      settled: () => {
        this.base = null;
      },
      pick: (name, more) => this.pick(name, more),
    };
    this.graph = new Graph(layout, this.act);
    this.odds = h("div", { class: "odds-chip", role: "status", "aria-live": "polite", id: "odds" });
    this.foot = h("div", { class: "canvas-foot" }, this.odds);
    this.canvas = h(
      "div",
      { class: "canvas", role: "region", "aria-label": t("graph.label", { model: model.name }) },
      this.tools(),
      this.graph.element,
      this.foot,
    );
    this.panel = new Panel(this);
    this.element = h("div", { class: "network" }, this.canvas, this.panel.element);
    fill(main, this.element);
    this.camera = new Camera(this.canvas, this.graph.element);
    handles(this);
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
  }

  async start() {
    const now = state.read();
    this.evidence.read(now);
    if (now.mode === "do") this.choose("do");
    this.fit();
    fill(this.odds, h("span", { class: "spinner small" }), t("working"));
    fill(this.panel.body, loading());
    await this.begin();
    this.fit();
    if (now.node && this.evidence.states.has(now.node)) this.pick(now.node, true);
    this.panel.show(now.tab ?? "evidence");
  }

  // The beliefs before any evidence come first: what an address tells to be known is shown as a change of them.
  async begin() {
    if (this.evidence.size) this.beliefs = (await post(at(this.model.name, "beliefs"), {})).beliefs;
    try {
      await this.ask();
    } catch (error) {
      toast(error.message);
      this.evidence.clear();
      await this.ask(false);
    }
  }

  close() {
    removeEventListener("keydown", this.keys);
  }

  restore(saved) {
    this.evidence.read(saved);
    this.ask();
  }

  // ------------------------------------------------------------------------------------------------ tools

  tools() {
    this.search = h("input", {
      type: "search",
      placeholder: t("search"),
      "aria-label": t("search"),
      list: "nodes",
      id: "search",
      oninput: () => this.find(false),
      onkeydown: (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          this.find(true);
        }
      },
    });
    this.modes = ["see", "do"].map((mode) =>
      h(
        "button",
        { "aria-pressed": String(mode === this.mode), title: t(`mode.${mode}.why`), onclick: () => this.choose(mode) },
        t(`mode.${mode}`),
      ),
    );
    const tool = (label, text, work) => h("button", { "aria-label": label, title: label, onclick: work }, text);
    return h(
      "div",
      { class: "canvas-tools", role: "toolbar", "aria-label": t("tools") },
      this.search,
      h(
        "datalist",
        { id: "nodes" },
        this.whole.nodes.map((node) => h("option", { value: node.name })),
      ),
      h("div", { class: "segment", role: "group", "aria-label": t("mode") }, this.modes),
      h(
        "div",
        { class: "group" },
        tool(t("zoom.in"), "+", () => this.camera.step(1.3)),
        tool(t("zoom.out"), "−", () => this.camera.step(1 / 1.3)),
        tool(t("zoom.fit"), "⤢", () => this.fit()),
      ),
      h(
        "div",
        { class: "group" },
        h("button", { title: t("fold.all"), onclick: () => this.foldAll(true) }, t("fold")),
        h("button", { title: t("unfold.all"), onclick: () => this.foldAll(false) }, t("unfold")),
      ),
      this.whole.nodes.length > MANY || this.around
        ? h(
            "button",
            {
              id: "focus",
              "aria-pressed": String(Boolean(this.around)),
              title: t("focus.why"),
              onclick: () => this.focus(),
            },
            t("focus"),
          )
        : null,
      h("button", { id: "clear", onclick: () => this.change((e) => e.clear(), true) }, t("clear")),
    );
  }

  // Only what is near the chosen node, or all again.
  async focus() {
    if (!this.around && !this.picked) {
      toast(t("focus.pick"));
      return;
    }
    state.write({ around: this.around ? "" : this.picked }, { step: true });
    this.close();
    this.context.shown(await mount(this.main, this.model, this.context));
  }

  foldAll(folded) {
    this.graph.foldAll(folded);
    this.show();
    this.fit();
  }

  fit() {
    if (this.graph.layout.rows > 1) this.graph.stretch(this.camera.spare(this.graph.size.width, this.graph.size.height));
    this.camera.fit(this.graph.size.width, this.graph.size.height);
  }

  choose(mode) {
    this.mode = mode;
    for (const [k, name] of ["see", "do"].entries()) this.modes[k].setAttribute("aria-pressed", String(name === mode));
    state.write({ mode: mode === "do" ? "do" : "" });
  }

  find(go) {
    const text = this.search.value.trim().toLowerCase();
    const matches = text ? this.layout.nodes.filter((node) => node.name.toLowerCase().includes(text)) : [];
    this.graph.mark(
      matches.map((node) => node.name),
      "found",
    );
    const best = matches.find((node) => node.name.toLowerCase() === text) ?? matches[0];
    if (!best || !(go || matches.length === 1)) return;
    const card = this.graph.cards.get(best.name);
    this.camera.centre(card.x, card.y + card.height / 2);
    if (go) {
      this.pick(best.name, false);
      card.states.querySelector("[tabindex='0']")?.focus();
    }
  }

  key(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const work = {
      "/": () => this.search.focus(),
      d: () => this.choose("do"),
      s: () => this.choose("see"),
      "+": () => this.camera.step(1.3),
      "-": () => this.camera.step(1 / 1.3),
      0: () => this.fit(),
    }[event.key];
    if (work) {
      event.preventDefault();
      work();
    }
  }

  // ------------------------------------------------------------------------------------------------ evidence

  pick(name, more) {
    if (this.panel.takes?.(name, more)) return;
    this.picked = this.picked === name && !more ? null : name;
    this.graph.mark(this.picked ? [this.picked] : [], "picked");
    state.write({ node: this.picked });
    this.panel.refresh();
  }

  async change(work, step) {
    const before = this.evidence.copy();
    work(this.evidence);
    try {
      await this.ask();
      state.write(this.evidence.address(), { step });
    } catch (error) {
      this.evidence = before;
      this.show();
      toast(error.message);
    }
  }

  // Soft evidence: the likelihood that brings the belief of a state to where it was dragged.
  async lean(name, k, belief) {
    if (this.evidence.set.has(name)) return;
    if (this.base?.name !== name) {
      const without = this.evidence.copy();
      without.clear(name);
      this.base = { name, p: null };
      const answer = await post(at(this.model.name, "beliefs"), without.body());
      if (this.base?.name === name) this.base.p = answer.beliefs[name];
      if (!this.base) return;
    }
    if (!this.base.p) return;
    const likelihood = leaning(this.evidence.states.get(name), k, this.base.p[k], belief);
    if (likelihood) await this.change((e) => e.lean(name, likelihood), false);
  }

  async ask(compare = true) {
    const begin = performance.now();
    const answer = await this.last((signal) => post(at(this.model.name, "beliefs"), this.evidence.body(), { signal }));
    if (!answer) return;
    const before = compare ? this.beliefs : null;
    this.beliefs = answer.beliefs;
    this.probability = answer.probability;
    this.show(before);
    this.panel.refresh();
    performance.measure("beliefs", { start: begin, end: performance.now() });
  }

  show(before = null) {
    this.changes = this.graph.update(this.beliefs, before, this.evidence);
    const n = this.evidence.size;
    fill(
      this.odds,
      n
        ? t("odds", { p: this.probability < 0.001 ? this.probability.toExponential(2) : percent(this.probability) })
        : t("odds.none"),
    );
  }
}
