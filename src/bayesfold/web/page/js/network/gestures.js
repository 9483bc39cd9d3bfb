// What a hand does to a state of a card: a click observes, a drag leans, keys do both.

const STEP = 0.05;
const SIDEWAYS = 6;

export function keys(event, graph, node, k) {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const lean = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key];
  if (move) {
    event.preventDefault();
    const shown = [...graph.cards.get(node.name).states.querySelectorAll(".state")];
    const next = shown[(shown.indexOf(event.currentTarget) + move + shown.length) % shown.length];
    for (const one of shown) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  } else if (lean) {
    event.preventDefault();
    graph.act.lean(node.name, k, graph.beliefs[node.name][k] + lean);
  } else if (event.key === "Escape") graph.act.forget(node.name);
}

// A press is a click, unless the pointer goes sideways: then the bar is dragged.
export function press(event, graph, node, k, track) {
  if (event.button) return;
  const begin = event.clientX;
  const target = event.currentTarget;
  target.setPointerCapture(event.pointerId);
  let dragging = false;
  const move = (e) => {
    if (!dragging && Math.abs(e.clientX - begin) < SIDEWAYS) return;
    dragging = true;
    graph.element.classList.add("dragging");
    const box = track.getBoundingClientRect();
    graph.act.lean(node.name, k, (e.clientX - box.left) / box.width);
  };
  const done = (e) => {
    for (const [name, work] of listeners) target.removeEventListener(name, work);
    graph.element.classList.remove("dragging");
    if (!dragging && e.type === "pointerup") graph.act.observe(node.name, k);
    graph.act.settled();
  };
  const listeners = [
    ["pointermove", move],
    ["pointerup", done],
    ["pointercancel", done],
  ];
  for (const [name, work] of listeners) target.addEventListener(name, work);
}
