// What is known, what the last step changed, and the chosen node in numbers.

import { digits, h, percent } from "/js/dom.js";
import { hint } from "/js/parts.js";
import { t } from "/js/words.js";

const MOST = 8;

export function observed(view) {
  return [hint("network", t("hint.network")), known(view), changes(view), view.picked ? node(view, view.picked) : null, strengths(view)];
}

// Of a network that was learned from a table.
function strengths(view) {
  const strong = view.layout.arcs.filter((arc) => arc.strength > 0).sort((a, b) => b.strength - a.strength);
  if (!strong.length) return null;
  return h(
    "section",
    {},
    h("h2", {}, t("strengths")),
    h("p", { class: "faint" }, t("strengths.why")),
    strong
      .slice(0, MOST)
      .map((arc) =>
        h(
          "div",
          { class: "bar-row" },
          h("span", { class: "name", title: `${arc.parent} → ${arc.child}` }, `${arc.parent} → ${arc.child}`),
          h(
            "span",
            { class: "rail" },
            h("span", { class: "bar", style: { width: `${(100 * arc.strength) / strong[0].strength}%` } }),
          ),
          h("span", { class: "number" }, `+${digits(arc.strength, 3)}`),
        ),
      ),
  );
}

function known(view) {
  const { evidence } = view;
  const chips = [];
  for (const [part, kind] of [
    [evidence.see, "seen"],
    [evidence.set, "set"],
    [evidence.soft, "soft"],
  ]) {
    for (const [name, value] of part) {
      const text =
        kind === "soft"
          ? t("about", { node: name })
          : kind === "set"
            ? `do(${name} = ${evidence.states.get(name)[value]})`
            : `${name} = ${evidence.states.get(name)[value]}`;
      chips.push(
        h(
          "span",
          { class: "chip" },
          text,
          h("button", { "aria-label": t("clear.one", { what: text }), onclick: () => view.act.forget(name) }, "×"),
        ),
      );
    }
  }
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, t("known")),
    chips.length ? h("div", { class: "chips" }, chips) : h("p", { class: "faint" }, t("known.none")),
  );
}

function changes(view) {
  if (!view.changes.length) return null;
  return h(
    "section",
    {},
    h("h2", {}, t("changed")),
    view.changes.slice(0, MOST).map(({ name, p, old, states }) => {
      const k = p.reduce((best, value, i) => (Math.abs(value - old[i]) > Math.abs(p[best] - old[best]) ? i : best), 0);
      return h(
        "div",
        { class: "delta" },
        h("span", {}, h("strong", {}, name), ` = ${states[k]}`),
        h("span", { class: "number" }, h("span", { class: "from" }, `${percent(old[k])} → `), percent(p[k])),
      );
    }),
    view.changes.length > MOST
      ? h("p", { class: "faint" }, t("changed.more", { n: view.changes.length - MOST }))
      : null,
  );
}

function node(view, name) {
  const states = view.evidence.states.get(name);
  const p = view.beliefs[name];
  const soft = view.evidence.soft.get(name);
  const set = view.evidence.set.has(name);
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, name),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, t("state")), h("th", { class: "n", scope: "col" }, t("belief"))),
      ),
      h(
        "tbody",
        {},
        states.map((state, k) => h("tr", {}, h("td", {}, String(state)), h("td", { class: "n" }, p[k].toPrecision(6)))),
      ),
    ),
    set
      ? null
      : h(
          "div",
          { class: "stack" },
          h("h3", {}, t("likelihood")),
          h("p", { class: "faint" }, t("likelihood.why")),
          states.map((state, k) => {
            const value = soft?.[k] ?? 1;
            const out = h("span", { class: "number" }, value.toFixed(2));
            return h(
              "label",
              { class: "slider" },
              h("span", {}, String(state)),
              h("input", {
                type: "range",
                min: "0",
                max: "1",
                step: "0.01",
                value: String(value),
                "aria-label": t("likelihood.of", { state }),
                oninput: (event) => {
                  out.textContent = Number(event.target.value).toFixed(2);
                },
                onchange: (event) => {
                  const next = states.map((_, i) => soft?.[i] ?? 1);
                  next[k] = Number(event.target.value);
                  if (next.some((x) => x > 0))
                    view.change((e) => (next.every((x) => x === 1) ? e.clear(name) : e.lean(name, next)), true);
                },
              }),
              out,
            );
          }),
        ),
  );
}
