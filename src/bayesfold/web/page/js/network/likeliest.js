// The likeliest states of everything together, given what is known.

import { at, post } from "/js/api.js";
import { h, percent, table } from "/js/dom.js";
import { t } from "/js/words.js";

export async function likeliest(view) {
  const { likelihood, ...body } = view.evidence.body();
  const { states, probability: p } = await post(at(view.model.name, "likeliest"), body);
  const lines = Object.entries(states).map(([name, state]) => {
    const k = view.evidence.states.get(name).findIndex((s) => s === state);
    return [name, String(state), percent(view.beliefs[name][k])];
  });
  return [
    h("p", {}, t("likeliest.why")),
    Object.keys(likelihood).length ? h("p", { class: "faint" }, t("without.soft")) : null,
    h(
      "p",
      { class: "verdict" },
      t("together", { p: p < 0.001 ? p.toExponential(3) : percent(p) }),
    ),
    table([t("variable"), t("state"), t("belief")], lines, 2),
  ];
}
