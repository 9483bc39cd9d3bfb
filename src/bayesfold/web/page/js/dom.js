// Elements from plain data. Whatever comes from a user or a file becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function put(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name === "value" || name === "checked" || name === "selected" || name === "disabled")
      element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const h = (tag, attributes = {}, ...children) => put(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => put(document.createElementNS(SVG, tag), attributes, children);

export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

// A share as people read it: one digit behind the point, and never 0 or 100 for what is neither.
export function percent(p) {
  if (p > 0 && p < 0.0005) return "<0.1%";
  if (p < 1 && p > 0.9995) return ">99.9%";
  return `${(100 * p).toFixed(1).replace(/\.0$/, "")}%`;
}

// A number in so many digits, but never fewer than it has before the point: 2024 is not 2020.
export function digits(x, most = 4) {
  if (x === null || x === undefined || x === "") return "–";
  if (typeof x !== "number") return String(x);
  if (!Number.isFinite(x)) return "–";
  const before = Math.abs(x) < 1e21 ? String(Math.trunc(Math.abs(x))).length : 1;
  return String(Number(x.toPrecision(Math.max(most, before))));
}

// A score or the end of an interval: three digits behind the point are enough.
export const score = (x) => (x === null || x === undefined ? "–" : `${x < -5e-4 ? "−" : ""}${Math.abs(x).toFixed(3)}`);

export const signed = (x, places = 2) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(places)}`;

export function bars(names, shares, colours = []) {
  return names.map((name, k) =>
    h(
      "div",
      { class: "bar-row" },
      h("span", { class: "name", title: String(name) }, String(name)),
      h(
        "span",
        { class: "rail" },
        h("span", { class: "bar", style: { width: `${100 * shares[k]}%`, background: colours[k] ?? "" } }),
      ),
      h("span", { class: "number", title: String(shares[k]) }, percent(shares[k])),
    ),
  );
}

export function table(header, lines, left = 1) {
  const cell = (tag, value, k) =>
    h(
      tag,
      { class: k < left ? "" : "n", scope: tag === "th" ? "col" : null },
      value instanceof Node ? value : String(value),
    );
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": header.filter(Boolean).join(", ") || "table" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          header.map((value, k) => cell("th", value, k)),
        ),
      ),
      h(
        "tbody",
        {},
        lines.map((line) =>
          h(
            "tr",
            {},
            line.map((value, k) => cell("td", value, k)),
          ),
        ),
      ),
    ),
  );
}

export function toast(text) {
  const element = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(element);
  setTimeout(() => element.remove(), 5200);
}

export function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function debounce(work, wait) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}
