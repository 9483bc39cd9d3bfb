// Why a column is taken for what it is, where the page has words for the server's.

import { t, termOf } from "/js/words.js";

const BINS = ["mdl", "equal_frequency", "proportional"];

// "best held-out density of gaussian, mdl; missing is a value": ways to cut a column into bins are one for the reader.
export function reason(why) {
  const [first, ...more] = why.split("; ");
  const best = /^best held-out density of (.+)$/.exec(first);
  if (!best) return termOf("why", why);
  const tried = best[1].split(", ").map((name) => termOf("tried", BINS.includes(name) ? "bins" : name));
  const names = [...new Set(tried)].join(", ");
  return [t("why.best", { names }), ...more.map((one) => termOf("why", one))].join("; ");
}
