// Which colour stands for which class: those that have curves have one each, and with many classes the others are grey.

import { colour } from "/js/theme.js";

const COLOURS = 6;

// The classes that have a colour, by their place in the model: those that are drawn, or else the first ones.
export function coloured({ classes, columns }) {
  const places = classes.map((_, k) => k);
  const drawn = places.filter((k) => columns.some((column) => column.density[k]?.length));
  return (drawn.length ? drawn : places).slice(0, COLOURS);
}

// The colour of each class.
export function coloursOf(model) {
  const own = coloured(model);
  return model.classes.map((_, k) => (own.includes(k) ? colour(own.indexOf(k)) : "var(--faint)"));
}
