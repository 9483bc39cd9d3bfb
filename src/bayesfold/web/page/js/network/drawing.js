// An arc drawn by hand: dragged from the handle below a card to the card that it is to point at.

import { h, svg } from "/js/dom.js";
import * as state from "/js/state.js";
import { t } from "/js/words.js";

export function handles(view) {
  for (const [name, card] of view.graph.cards)
    card.element.append(
      h("span", {
        class: "handle",
        title: t("arc.draw", { node: name }),
        "aria-hidden": "true", // with the keyboard, arcs are added in the panel
        onpointerdown: (event) => pull(event, view, name, card),
      }),
    );
}

function pull(event, view, parent, card) {
  if (event.button) return;
  event.preventDefault();
  event.stopPropagation();
  const { graph, camera, canvas } = view;
  const handle = event.currentTarget;
  const line = svg("path", { class: "arc drawn", "marker-end": "url(#headnear)" });
  graph.arcs.append(line);
  handle.setPointerCapture(event.pointerId);
  let child = null;
  const move = (e) => {
    const box = canvas.getBoundingClientRect();
    const x = (e.clientX - box.left - camera.x) / camera.zoom;
    const y = (e.clientY - box.top - camera.y) / camera.zoom;
    const from = [card.x, card.y + card.height];
    line.setAttribute(
      "d",
      `M${from[0]} ${from[1]}C${from[0]} ${(from[1] + y) / 2} ${x} ${(from[1] + y) / 2} ${x} ${y}`,
    );
    const under = document.elementFromPoint(e.clientX, e.clientY)?.closest(".node")?.dataset.node;
    child = under === parent ? null : (under ?? null);
    graph.mark(child ? [child] : [], "found");
  };
  const done = (e) => {
    for (const [name, work] of listeners) handle.removeEventListener(name, work);
    line.remove();
    graph.mark([], "found");
    if (e.type !== "pointerup" || !child) return;
    state.write({ node: child });
    view.panel.tables.edit({ arcs: [{ action: "add", parent, child }] });
  };
  const listeners = [
    ["pointermove", move],
    ["pointerup", done],
    ["pointercancel", done],
  ];
  for (const [name, work] of listeners) handle.addEventListener(name, work);
}
