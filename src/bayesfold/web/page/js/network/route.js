// The way of an arc from card a to card b, through a gap (x, row) in each row between them.

const REACH = 0.34; // how far from a card's middle an arc may end, in widths of a card
const LEAN = 0.16; // and how far it leans to where it goes

const curve = (x, y, tox, toy) => `C${x} ${(y + toy) / 2} ${tox} ${(y + toy) / 2} ${tox} ${toy}`;

// `tops` and `tall` are where rows begin and how high they are: a higher card beside a or b is not crossed.
export function route(a, b, gaps, tops, tall, box) {
  const aside = (from, to) => Math.max(-REACH * box, Math.min(REACH * box, (to - from) * LEAN));
  const bottom = (row) => tops[row] + tall[row];
  let x = a.x + aside(a.x, gaps[0]?.[0] ?? b.x);
  let y = bottom(a.node.row);
  const start = a.y + a.height;
  let d = `M${x} ${start}${start < y ? `L${x} ${y}` : ""}`;
  for (const [gap, row] of gaps) {
    d += `${curve(x, y, gap, tops[row])}L${gap} ${bottom(row)}`;
    [x, y] = [gap, bottom(row)];
  }
  const end = b.x + aside(b.x, gaps.at(-1)?.[0] ?? a.x);
  const above = tops[b.node.row];
  return d + curve(x, y, end, above - 2) + (b.y > above ? `L${end} ${b.y - 2}` : "");
}
