// The picture: cards with belief bars in rows, arcs from parents to children behind them.

import { h, percent, svg } from "/js/dom.js";
import { keys, press } from "/js/network/gestures.js";
import { route } from "/js/network/route.js";
import { t } from "/js/words.js";

const HEAD = 30;
const STATE = 21;
const FOOT = 7;
const BETWEEN = 48;
const MOST_BETWEEN = 190;
const MOST_STATES = 8;
const MANY = 60;
const VISIBLE = 0.004;

export class Graph {
  constructor(layout, act) {
    Object.assign(this, {
      layout,
      act,
      cards: new Map(),
      folded: new Set(),
      whole: new Set(),
      beliefs: null,
      before: null,
      gap: BETWEEN,
    });
    this.narrow = layout.nodes.length >= MANY;
    if (this.narrow) for (const node of layout.nodes) this.folded.add(node.name);
    this.arcs = svg(
      "svg",
      { "aria-hidden": "true" },
      svg(
        "defs",
        {},
        ...["", "near", "open", "blocked"].map((kind) =>
          svg(
            "marker",
            {
              id: `head${kind}`,
              viewBox: "0 0 10 10",
              refX: 8,
              refY: 5,
              markerWidth: 8,
              markerHeight: 8,
              markerUnits: "userSpaceOnUse",
              orient: "auto",
            },
            svg("path", { d: "M0 0 10 5 0 10Z", fill: "context-stroke" }),
          ),
        ),
      ),
    );
    this.element = h("div", { class: `world${this.narrow ? " narrow" : ""}` }, this.arcs);
    for (const node of layout.nodes) this.card(node);
    const strongest = Math.max(...layout.arcs.map((arc) => arc.strength ?? 0), 1e-9);
    for (const arc of layout.arcs) {
      const thick = arc.strength > 0 ? 1 + 4 * Math.sqrt(arc.strength / strongest) : null; // a learned arc, by what it adds
      arc.line = svg(
        "path",
        { class: "arc", "marker-end": "url(#head)", style: thick ? { "stroke-width": `${thick}px` } : {} },
        thick ? svg("title", {}, `${arc.parent} → ${arc.child}: +${arc.strength.toPrecision(4)}`) : null,
      );
      this.arcs.append(arc.line);
    }
    this.place();
  }

  // ------------------------------------------------------------------------------------------------ cards

  card(node) {
    const name = h(
      "button",
      {
        class: "node-name",
        title: node.name,
        "aria-label": t("node.label", { node: node.name }),
        onclick: (event) => this.act.pick(node.name, event.shiftKey),
      },
      node.name,
    );
    const mark = h("span", { class: "mark" });
    const fold = h("button", { class: "small", onclick: () => this.toggle(node.name) });
    const states = h("div", { role: "group", "aria-label": node.name });
    const element = h(
      "div",
      {
        class: "node",
        "data-node": node.name,
        style: { width: `${this.layout.box}px` },
        onmouseenter: () => this.near(node.name, true),
        onmouseleave: () => this.near(node.name, false),
      },
      h("div", { class: "node-head" }, name, mark, fold),
      states,
    );
    const card = { node, element, mark, fold, states, rows: node.states.map((state, k) => this.row(node, state, k)) };
    this.cards.set(node.name, card);
    this.element.append(element);
    this.paint(card);
  }

  row(node, state, k) {
    const bar = h("span", { class: "fill" });
    const ghost = h("span", { class: "ghost" });
    const p = h("span", { class: "p" });
    const track = h("span", { class: "track" }, bar, ghost);
    const element = h(
      "button",
      {
        class: "state",
        "aria-pressed": "false",
        tabindex: k ? "-1" : "0",
        "data-state": String(state),
        onkeydown: (event) => keys(event, this, node, k),
        onclick: (event) => {
          if (event.detail === 0) this.act.observe(node.name, k);
        },
        onpointerdown: (event) => press(event, this, node, k, track),
      },
      h("span", { class: "label" }, String(state)),
      track,
      p,
    );
    return { element, bar, ghost, p };
  }

  toggle(name) {
    if (!this.folded.delete(name)) this.folded.add(name);
    this.paint(this.cards.get(name));
    this.place();
  }

  foldAll(folded) {
    for (const [name, card] of this.cards) {
      if (folded) this.folded.add(name);
      else this.folded.delete(name);
      this.paint(card);
    }
    this.place();
  }

  // Which states a card shows: all, the most probable of many, or the most probable one.
  paint(card) {
    const { node } = card;
    const p = this.beliefs?.[node.name] ?? node.states.map(() => 0);
    const order = node.states.map((_, k) => k).sort((a, b) => p[b] - p[a]);
    const isFolded = this.folded.has(node.name);
    const few = isFolded
      ? 1
      : node.states.length > MOST_STATES && !this.whole.has(node.name)
        ? MOST_STATES - 1
        : node.states.length;
    const kept = new Set(order.slice(0, few));
    card.shown = node.states.map((_, k) => k).filter((k) => kept.has(k));
    card.more = !isFolded && few < node.states.length ? node.states.length - few : 0;
    const key = `${card.shown}|${card.more}`;
    card.fold.textContent = isFolded ? "▸" : "▾";
    card.fold.setAttribute("aria-label", t(isFolded ? "unfold.node" : "fold.node", { node: node.name }));
    card.fold.setAttribute("aria-expanded", String(!isFolded));
    card.height = HEAD + STATE * (card.shown.length + (card.more ? 1 : 0)) + FOOT;
    card.element.style.height = `${card.height}px`;
    if (key === card.key) return false;
    card.key = key;
    const focused = document.activeElement;
    card.states.replaceChildren(
      ...card.shown.map((k) => card.rows[k].element),
      ...(card.more
        ? [
            h(
              "button",
              {
                class: "more",
                onclick: () => {
                  this.whole.add(node.name);
                  this.paint(card);
                  this.place();
                },
              },
              t("more.states", { n: card.more }),
            ),
          ]
        : []),
    );
    if (!card.shown.some((k) => card.rows[k].element.tabIndex === 0)) card.rows[card.shown[0]].element.tabIndex = 0;
    if (card.states.contains(focused)) focused.focus();
    return true;
  }

  // ------------------------------------------------------------------------------------------------ places

  // Rows further apart, where there is height to spare: arcs are easier to follow.
  stretch(factor) {
    const least = this.size.height - this.gap * (this.layout.rows - 1);
    const spread = (this.size.height * factor - least) / Math.max(this.layout.rows - 1, 1);
    this.gap = factor === 1 ? BETWEEN : Math.min(MOST_BETWEEN, Math.max(BETWEEN, spread));
    this.place();
  }

  place() {
    const tall = Array(this.layout.rows).fill(0);
    for (const card of this.cards.values()) tall[card.node.row] = Math.max(tall[card.node.row], card.height);
    const tops = [];
    let y = 0;
    for (const height of tall) {
      tops.push(y);
      y += height + this.gap;
    }
    this.size = { width: this.layout.width, height: Math.max(0, y - this.gap) };
    for (const card of this.cards.values()) {
      card.x = card.node.x;
      card.y = tops[card.node.row] + (tall[card.node.row] - card.height) / 2;
      card.element.style.transform = `translate(${card.x - this.layout.box / 2}px, ${card.y}px)`;
    }
    for (const arc of this.layout.arcs) {
      const [a, b] = [this.cards.get(arc.parent), this.cards.get(arc.child)];
      arc.line.setAttribute("d", route(a, b, arc.path.slice(1, -1), tops, tall, this.layout.box));
    }
  }

  // ------------------------------------------------------------------------------------------------ beliefs

  // Shows beliefs; where they were before is marked. Gives the changes, the largest first.
  update(beliefs, before, evidence) {
    this.beliefs = beliefs;
    const changes = [];
    let moved = false;
    for (const [name, card] of this.cards) {
      const p = beliefs[name];
      const old = before?.[name] ?? p;
      const distance = p.reduce((sum, value, k) => sum + Math.abs(value - old[k]), 0) / 2;
      if (distance > VISIBLE) changes.push({ name, distance, p, old, states: card.node.states });
      moved = this.paint(card) || moved;
      const kind = evidence.kind(name);
      for (const cls of ["seen", "set", "soft"]) card.element.classList.toggle(cls, kind === cls);
      card.mark.textContent = kind ? t(`mark.${kind}`) : "";
      card.element.classList.toggle("changed", distance > VISIBLE && !kind);
      card.element.style.setProperty("--delta", String(Math.min(1, distance * 1.5)));
      for (const k of card.shown) {
        const row = card.rows[k];
        const { element, bar, ghost, p: text } = row;
        const on = (kind === "seen" || kind === "set") && evidence.state(name) === k;
        const now = `${p[k]}|${old[k]}|${on}`;
        if (row.now === now) continue; // nothing to draw
        row.now = now;
        bar.style.width = `${100 * p[k]}%`;
        ghost.style.left = `${100 * old[k]}%`;
        ghost.classList.toggle("on", Math.abs(p[k] - old[k]) > VISIBLE);
        text.textContent = percent(p[k]);
        element.dataset.p = String(p[k]);
        element.title = `P(${name} = ${card.node.states[k]}) = ${p[k]}`;
        element.setAttribute("aria-pressed", String(on));
        element.setAttribute(
          "aria-label",
          t("state.label", { node: name, state: card.node.states[k], p: percent(p[k]) }),
        );
      }
    }
    if (moved) this.place();
    for (const arc of this.layout.arcs) arc.line.classList.toggle("cut", evidence.set.has(arc.child));
    return changes.sort((a, b) => b.distance - a.distance);
  }

  // ------------------------------------------------------------------------------------------------ marks

  near(name, on) {
    for (const arc of this.layout.arcs) if (arc.parent === name || arc.child === name) this.dye(arc, "near", on);
  }

  dye(arc, kind, on) {
    arc.line.classList.toggle(kind, on);
    const shade = ["open", "blocked", "near"].find((k) => arc.line.classList.contains(k)) ?? "";
    arc.line.setAttribute("marker-end", `url(#head${shade})`);
  }

  mark(names, cls) {
    for (const [name, card] of this.cards) card.element.classList.toggle(cls, names.includes(name));
  }

  // A path of a d-separation: its arcs, by whether it is open.
  trace(path) {
    for (const arc of this.layout.arcs) for (const kind of ["open", "blocked"]) this.dye(arc, kind, false);
    this.arcs.classList.toggle("dim", Boolean(path));
    if (!path) return;
    for (let k = 1; k < path.nodes.length; k += 1) {
      const pair = [path.nodes[k - 1], path.nodes[k]];
      const arc = this.layout.arcs.find((one) => pair.includes(one.parent) && pair.includes(one.child));
      if (arc) this.dye(arc, path.open ? "open" : "blocked", true);
    }
  }
}
