// Texts that fit their room: letters of some scripts are twice as wide as those of others, so they are measured.

const pen = document.createElement("canvas").getContext("2d");

export function widthOf(text, font) {
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// A text that is not wider than `room`; an entity of markup (&lt;) is kept or left out as a whole.
export function short(text, room, font) {
  if (widthOf(String(text), font) <= room) return String(text);
  const letters = String(text).match(/&\w+;|./gsu) ?? [];
  while (letters.length && (letters.at(-1) === "…" || widthOf(`${letters.join("")}…`, font) > room)) letters.pop();
  return `${letters.join("")}…`;
}
