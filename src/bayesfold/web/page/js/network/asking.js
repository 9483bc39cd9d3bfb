// What to ask next about the variable that one wants to know.

import { at, post } from "/js/api.js";
import { h } from "/js/dom.js";
import { t } from "/js/words.js";

const MOST = 12;

export const picker = (view, label, value, work) =>
  h(
    "label",
    { class: "stack" },
    h("span", {}, label),
    h(
      "select",
      { onchange: (event) => work(event.target.value), "aria-label": label },
      h("option", { value: "", selected: !value }, t("choose.node")),
      view.whole.nodes.map((node) => h("option", { value: node.name, selected: node.name === value }, node.name)),
    ),
  );

export async function asking(view) {
  const choose = picker(view, t("ask.target"), view.picked, (name) => view.pick(name || null, true));
  if (!view.picked) return [h("p", {}, t("ask.why")), choose];
  const { likelihood, ...body } = view.evidence.body();
  const ranking = await post(at(view.model.name, "next"), { ...body, target: view.picked });
  const most = ranking.questions[0]?.bits || 1;
  return [
    h("p", {}, t("ask.why")),
    choose,
    Object.keys(likelihood).length ? h("p", { class: "faint" }, t("without.soft")) : null,
    h(
      "div",
      {},
      ranking.questions.slice(0, MOST).map(({ variable, bits }) =>
        h(
          "div",
          { class: "bar-row" },
          h(
            "button",
            {
              class: "plain name",
              title: variable,
              onclick: () => {
                view.search.value = variable;
                view.find(true);
              },
            },
            variable,
          ),
          h("span", { class: "rail" }, h("span", { class: "bar", style: { width: `${(100 * bits) / most}%` } })),
          h("span", { class: "number" }, t("bits", { n: bits < 0.0005 ? "0" : bits.toFixed(3) })),
        ),
      ),
    ),
  ];
}
