// What several views share: states of waiting and failing, hints for the first time, tabs.

import { download } from "/js/api.js";
import { h, save, toast } from "/js/dom.js";
import { t } from "/js/words.js";

export const loading = (text = t("loading")) =>
  h("div", { class: "loading", role: "status" }, h("span", { class: "spinner" }), h("span", {}, text));

export const empty = (title, text, ...more) =>
  h("div", { class: "empty" }, h("strong", {}, title), text ? h("span", {}, text) : null, ...more);

export function broken(error, retry) {
  return h(
    "div",
    { class: "broken", role: "alert" },
    h("strong", {}, error.type === "unreachable" ? t("unreachable") : error.title || t("broken")),
    h("span", {}, error.type === "unreachable" ? t("unreachable.why") : error.message),
    retry ? h("button", { onclick: retry }, t("retry")) : null,
  );
}

export const complaint = (error) => h("p", { class: "faint", role: "status" }, error.message);

export function hint(name, text, done = () => {}) {
  const key = `hint.${name}`;
  if (localStorage.getItem(key)) return null;
  const box = h(
    "div",
    { class: "hint", role: "note" },
    h("p", {}, text),
    h(
      "button",
      {
        class: "plain",
        onclick: () => {
          localStorage.setItem(key, "seen");
          box.remove();
          done();
        },
      },
      t("understood"),
    ),
  );
  return box;
}

// A row of tabs with arrow keys, as screen readers expect it.
export function tabs(names, chosen, show, label) {
  const buttons = names.map(([key, text]) =>
    h(
      "button",
      {
        role: "tab",
        id: `tab-${key}`,
        "aria-controls": "tab-panel",
        "aria-selected": String(key === chosen),
        tabindex: key === chosen ? "0" : "-1",
        onclick: () => select(key),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const next = names[(names.findIndex(([k]) => k === key) + step + names.length) % names.length][0];
          select(next);
          document.getElementById(`tab-${next}`).focus();
        },
      },
      text,
    ),
  );
  function select(key) {
    for (const [k, button] of buttons.entries()) {
      const on = names[k][0] === key;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
    }
    show(key);
  }
  return { element: h("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons), select };
}

// What a button does that saves a file of the server's.
export const take = (path, name) => async () => {
  try {
    const file = await download(path, name);
    save(file.blob, file.name);
  } catch (error) {
    toast(error.message);
  }
};
