// A nomogram: read each column's points off its own line, add them up, and read the probability off the last line.

import { digits, percent, svg } from "/js/dom.js";
import { short, widthOf } from "/js/text_width.js";
import { t } from "/js/words.js";

const LEFT = 170;
const WIDE = 900;
const HIGH = 42;
const STEPS = [5, 10, 20, 50, 100, 200, 500, 1000];
const CHANCES = [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999];
const NAME = "bold 12px";
const VALUE = "11px";
const LONGEST = 90; // of a value's name
const APART = 4; // between two of them

// `row` is what is known, `logit` the log-odds of the two classes for it.
export function nomogram(chart, row, logit) {
  const x = (points) => LEFT + ((WIDE - LEFT - 30) * points) / 100;
  const parts = [];
  // What is cut is whole in its tooltip.
  const text = (at, y, label, attributes = {}, whole = label) =>
    svg(
      "text",
      { x: at, y, "text-anchor": "middle", ...attributes },
      label,
      whole === label ? null : svg("title", {}, whole),
    );
  for (let p = 0; p <= 100; p += 10)
    parts.push(
      svg("line", { x1: x(p), x2: x(p), y1: 26, y2: 30 + HIGH * chart.lines.length, class: "grid" }),
      text(x(p), 18, String(p)),
    );
  parts.push(text(LEFT - 14, 18, t("points"), { class: "name", "text-anchor": "end" }));
  chart.lines.forEach((line, k) => {
    const y = 52 + HIGH * k;
    const wiggle = (i) => (line.is_number ? y + 6 - (12 * i) / Math.max(line.values.length - 1, 1) : y);
    const order = line.values.map((_, i) => i);
    if (!line.is_number) order.sort((a, b) => line.points[a] - line.points[b]);
    parts.push(
      text(
        LEFT - 14,
        y + 4,
        short(line.title, LEFT - 18, NAME),
        { class: "name", "text-anchor": "end" },
        line.title,
      ),
      svg("path", {
        class: `line${line.is_number ? "" : " words"}`,
        d: `M${order.map((i) => `${x(line.points[i]).toFixed(1)} ${wiggle(i).toFixed(1)}`).join("L")}`,
      }),
    );
    const many = line.values.length;
    const ticks = line.is_number ? [...new Set([0, 0.25, 0.5, 0.75, 1].map((s) => Math.round(s * (many - 1))))] : order;
    const free = { up: -Infinity, down: -Infinity };
    for (const i of ticks.sort((a, b) => line.points[a] - line.points[b])) {
      const whole = digits(line.words(line.values[i]), 3);
      const label = short(whole, LONGEST, VALUE);
      const half = widthOf(label, VALUE) / 2;
      const at = x(line.points[i]);
      const said = `${line.title} = ${whole}: ${line.points[i].toFixed(1)}`;
      parts.push(
        svg(
          "circle",
          { cx: at, cy: wiggle(i), r: 2.6, class: "tick", fill: "currentColor" },
          svg("title", {}, said),
        ),
      );
      const middle = Math.max(LEFT - 6 + half, Math.min(WIDE - half, at)); // where it stands, within the picture
      const side = ["up", "down"].find((one) => middle - half > free[one] + APART);
      if (!side) continue;
      free[side] = middle + half;
      parts.push(text(middle, side === "up" ? y - 9 : y + 19, label, { class: "value" }, whole));
    }
    const known = Object.hasOwn(row, line.name) ? row[line.name] : null;
    if (known === undefined || known === null) return;
    const i = line.is_number ? nearest(line.values, known) : line.values.findIndex((v) => v === known);
    if (i >= 0)
      parts.push(
        svg(
          "circle",
          { cx: x(line.points[i]), cy: wiggle(i), r: 6.5, class: "now" },
          svg("title", {}, `${line.title} = ${digits(line.words(known))}: ${line.points[i].toFixed(1)}`),
        ),
      );
  });
  const y = 76 + HIGH * chart.lines.length;
  parts.push(...totals(chart, y, text));
  const total = (logit - chart.base) / chart.unit;
  if (Number.isFinite(total)) {
    const at = Math.min(WIDE - 20, Math.max(LEFT - 6, across(chart)(total)));
    const p = percent(1 / (1 + Math.exp(-logit)));
    parts.push(
      svg("circle", { cx: at, cy: y, r: 7, class: "now" }, svg("title", {}, `${digits(total, 3)}: ${p}`)),
      svg("line", { x1: at, x2: at, y1: y - 30, y2: y - 22, class: "pointer" }),
      text(Math.min(WIDE - 60, Math.max(LEFT + 60, at)), y - 34, t("nomogram.now", { points: digits(total, 3), p }), {
        class: "name",
      }),
    );
  }
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDE} ${y + 34}`,
      role: "img",
      "aria-label": t("nomogram.label", { of: chart.of, against: chart.against }),
    },
    parts,
  );
}

// Where a total stands on the last line.
function across(chart) {
  const [low, high] = [CHANCES[0], CHANCES.at(-1)].map((p) => pointsOf(chart, p));
  return (total) => LEFT + ((WIDE - LEFT - 30) * (total - low)) / (high - low);
}

const pointsOf = (chart, p) => (Math.log(p / (1 - p)) - chart.base) / chart.unit;

// The last line: totals above it, the probability that they mean below.
function totals(chart, y, text) {
  const at = across(chart);
  const [low, high] = [CHANCES[0], CHANCES.at(-1)].map((p) => pointsOf(chart, p));
  const step = STEPS.find((size) => (high - low) / size <= 12) ?? STEPS.at(-1);
  const parts = [
    svg("line", { x1: LEFT, x2: WIDE - 30, y1: y, y2: y, class: "line" }),
    text(LEFT - 26, y - 6, t("nomogram.total"), { class: "name", "text-anchor": "end" }),
    text(
      LEFT - 26,
      y + 18,
      short(`P(${chart.of})`, LEFT - 30, NAME),
      { class: "name", "text-anchor": "end" },
      `P(${chart.of})`,
    ),
  ];
  for (let total = Math.ceil(low / step) * step; total <= high; total += step)
    parts.push(
      svg("line", { x1: at(total), x2: at(total), y1: y - 5, y2: y, class: "tick" }),
      text(at(total), y - 10, String(total)),
    );
  for (const p of CHANCES)
    parts.push(
      svg("line", { x1: at(pointsOf(chart, p)), x2: at(pointsOf(chart, p)), y1: y, y2: y + 5, class: "tick" }),
      text(at(pointsOf(chart, p)), y + 19, String(p)),
    );
  return parts;
}

function nearest(values, x) {
  return values.reduce((best, v, i) => (Math.abs(v - x) < Math.abs(values[best] - x) ? i : best), 0);
}
