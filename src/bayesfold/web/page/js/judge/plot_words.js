// The words of a picture in the reader's language; names of classes and numbers stay as they are.

import { short } from "/js/text_width.js";
import { t, termOf } from "/js/words.js";

const FONT = "13px";
const NAME = 0.3; // of the width, for the name of a class: what is beside a picture leaves it no room
const LEAST_NAME = 56; // where columns are narrower, names stand upright

const PATTERNS = [
  [/^(?<name>.+), area (?<area>[\d.]+)$/, "plot.area"],
  [/^Hits against false alarms, mean of (?<folds>\d+) folds$/, "plot.folds"],
  [/^the model, error (?<error>[\d.]+); bars: 95 %$/, "plot.error"],
  [/^implied by the loss: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.implied"],
  [/^best with hindsight: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.best"],
  [/^one half: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.half"],
  [/^What the threshold of (?<name>.+) costs$/, "plot.threshold"],
  [/^(?<name>.+) is decided from this probability on$/, "plot.from"],
];

function word(text, room) {
  for (const [pattern, key] of PATTERNS) {
    const { groups } = pattern.exec(text) ?? {};
    if (groups) return t(key, groups.name ? { ...groups, name: short(groups.name, room, FONT) } : groups);
  }
  return termOf("plot", text);
}

const brief = (text) => text.split(/[:：]/)[0];

function titled(part, room, isBrief = false) {
  if (!part?.title?.text) return part;
  const text = word(part.title.text, room);
  return { ...part, title: { ...part.title, text: isBrief ? brief(text) : text } };
}

// An axis whose names are no wider than what they name, or than there is beside the picture.
function withTicks(axis, isAcross, width) {
  if (!axis.ticktext) return axis;
  const room = isAcross ? Math.max(LEAST_NAME, (0.5 * width) / axis.ticktext.length) : NAME * width;
  return { ...axis, ticktext: axis.ticktext.map((name) => short(name, room, FONT)) };
}

// `narrow`: titles of axes without what stands behind their colon; `width`: of the picture.
export function inWords(figure, narrow, width) {
  const room = NAME * width;
  const axes = Object.entries(figure.layout).filter(([name]) => /^[xy]axis/.test(name));
  const drawn = axes.map(([name, axis]) => [name, withTicks(titled(axis, room, narrow), name[0] === "x", width)]);
  return {
    data: figure.data.map((trace) => (trace.name ? { ...trace, name: word(trace.name, room) } : trace)),
    layout: { ...titled(figure.layout, room), ...Object.fromEntries(drawn) },
  };
}
