// The words of a picture in the reader's language; names of classes and numbers stay as they are.

import { t, termOf } from "/js/words.js";

const PATTERNS = [
  [/^(?<name>.+), area (?<area>[\d.]+)$/, "plot.area"],
  [/^the model, error (?<error>[\d.]+); bars: 95 %$/, "plot.error"],
  [/^implied by the loss: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.implied"],
  [/^best with hindsight: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.best"],
  [/^one half: (?<p>[\d.]+) costs (?<cost>[\d.]+)$/, "plot.half"],
  [/^What the threshold of (?<name>.+) costs$/, "plot.threshold"],
  [/^(?<name>.+) is decided from this probability on$/, "plot.from"],
];

function word(text) {
  for (const [pattern, key] of PATTERNS) {
    const match = pattern.exec(text);
    if (match) return t(key, match.groups);
  }
  return termOf("plot", text);
}

const brief = (text) => text.split(/[:：]/)[0];

function titled(part, short = false) {
  if (!part?.title?.text) return part;
  const text = word(part.title.text);
  return { ...part, title: { ...part.title, text: short ? brief(text) : text } };
}

// `narrow`: titles of axes without what stands behind their colon.
export function inWords(figure, narrow) {
  const axes = Object.entries(figure.layout).filter(([name]) => /^[xy]axis/.test(name));
  return {
    data: figure.data.map((trace) => (trace.name ? { ...trace, name: word(trace.name) } : trace)),
    layout: { ...titled(figure.layout), ...Object.fromEntries(axes.map(([name, axis]) => [name, titled(axis, narrow)])) },
  };
}
