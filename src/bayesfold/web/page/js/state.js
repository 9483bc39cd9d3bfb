// What is shown, kept in the address: a view can be shared, and the browser's back leads back.

import { parse, stringify } from "/js/json.js";

const readers = new Set();

export function read() {
  const values = {};
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    values[name] = value;
    if (!/^[[{]/.test(value)) continue;
    try {
      values[name] = parse(value);
    } catch {
      /* a name that begins like a list */
    }
  }
  return values;
}

// A change of what is shown. `step`: worth a step back; small changes replace the address.
export function write(changes, { step = false } = {}) {
  const all = { ...read(), ...changes };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) {
    const empty =
      value === null ||
      value === undefined ||
      value === "" ||
      value === false ||
      (typeof value === "object" && Object.keys(value).length === 0);
    if (!empty) query.set(name, typeof value === "string" ? value : stringify(value));
  }
  const next = `#${query}`;
  if (next === location.hash) return;
  history[step ? "pushState" : "replaceState"](null, "", next); // which no reader hears
}

export function address(changes, keep = ["model"]) {
  const now = read();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({
    ...Object.fromEntries(keep.filter((k) => now[k]).map((k) => [k, now[k]])),
    ...changes,
  })) {
    if (value) query.set(name, typeof value === "string" ? value : stringify(value));
  }
  return `#${query}`;
}

export function listen(reader) {
  readers.add(reader);
}
addEventListener("hashchange", () => {
  for (const reader of readers) reader(read());
});
