// How a belief comes about: the sums pushed inwards, line by line.

import { at, post } from "/js/api.js";
import { h } from "/js/dom.js";
import { picker } from "/js/network/asking.js";
import { t } from "/js/words.js";

export async function sums(view) {
  const choose = picker(view, t("sums.target"), view.picked, (name) => view.pick(name || null, true));
  if (!view.picked) return [h("p", {}, t("sums.why")), choose];
  const { likelihood, ...body } = view.evidence.body();
  if (view.evidence.kind(view.picked) === "seen" || view.evidence.kind(view.picked) === "set")
    return [h("p", {}, t("sums.known", { node: view.picked })), choose];
  const derivation = await post(at(view.model.name, "sums"), { ...body, target: view.picked });
  return [
    h("p", {}, t("sums.why")),
    choose,
    Object.keys(likelihood).length ? h("p", { class: "faint" }, t("without.soft")) : null,
    h("pre", { tabindex: "0", "aria-label": derivation.question }, derivation.lines.join("\n")),
  ];
}
