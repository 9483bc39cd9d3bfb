// The frame: which model, which view, in which language and light.

import * as api from "/js/api.js";
import { fill, h } from "/js/dom.js";
import { broken, empty, loading } from "/js/parts.js";
import * as state from "/js/state.js";
import { isDark, toggle } from "/js/theme.js";
import { choose, current, t } from "/js/words.js";

const VIEWS = {
  row: () => import("/js/classifier/view.js"),
  network: () => import("/js/network/view.js"),
  judge: () => import("/js/judge/view.js"),
  learn: () => import("/js/learn/view.js"),
};
const main = document.getElementById("main");
const top_ = document.getElementById("top");
let shown = null;
let health = null;
let models = [];

const context = {
  refresh,
  go,
  health: () => health,
  models: () => models,
  shown: (view) => {
    shown = view;
  },
};

api.whenTokenIsAsked(
  () =>
    new Promise((resolve) => {
      const field = h("input", { type: "password", name: "token", autocomplete: "off", "aria-label": t("token") });
      const dialog = h(
        "dialog",
        {},
        h(
          "form",
          {
            method: "dialog",
            class: "stack",
            onsubmit: () => {
              resolve(field.value.trim());
              dialog.remove();
            },
          },
          h("h2", {}, t("token")),
          h("p", {}, t("token.why")),
          field,
          h("button", { class: "primary" }, t("go")),
        ),
      );
      document.body.append(dialog);
      dialog.showModal();
    }),
);

function viewsOf(model) {
  const views = [];
  if (model?.kind === "classifier") views.push("row", "judge");
  if (model?.kind === "network" || model?.is_network) views.push("network");
  if (health.keeps) views.push("learn");
  return views.filter((name) => name in VIEWS);
}

async function refresh() {
  [health, { models }] = await Promise.all([api.get("health"), api.get("models")]);
}

function go(changes) {
  location.hash = state.address(changes, []);
}

async function show() {
  const saved = state.read();
  try {
    if (!health) {
      fill(main, loading());
      await refresh();
    }
    const line = models.find((m) => m.name === saved.model) ?? (saved.view === "learn" ? null : models[0]);
    if (saved.model && !models.some((m) => m.name === saved.model)) {
      draw(null, null, []);
      fill(
        main,
        empty(
          t("no.model", { model: saved.model }),
          t("no.model.why"),
          h("button", { onclick: () => go({}) }, t("start.over")),
        ),
      );
      return;
    }
    const model = line ? await api.get(`models/${encodeURIComponent(line.name)}`) : null;
    const possible = viewsOf(model);
    if (!possible.length) {
      draw(model, null, possible);
      fill(main, empty(t("nothing.here"), t("nothing.here.why")));
      return;
    }
    const view = possible.includes(saved.view) ? saved.view : possible[0];
    draw(model, view, possible);
    fill(main, loading());
    const module_ = await VIEWS[view]();
    shown?.close?.();
    document.title = model ? `${model.name} · bayesfold` : "bayesfold";
    main.dataset.view = view;
    shown = await module_.mount(main, model, context);
    if (document.activeElement === document.body) main.focus({ preventScroll: true }); // where Tab goes on from
  } catch (error) {
    draw(null, null, []);
    fill(
      main,
      broken(error, () => {
        health = null;
        show();
      }),
    );
    if (!(error instanceof api.Problem)) throw error;
  }
}

function draw(model, view, possible) {
  const other = current() === "en" ? "zh" : "en";
  document.getElementById("skip").textContent = t("skip");
  const names = [...models.map((m) => m.name)];
  fill(
    top_,
    h(
      "a",
      { class: "brand", href: "#", "aria-label": "bayesfold" },
      h("img", { src: "/icon.svg", alt: "" }),
      "bayesfold",
    ),
    names.length
      ? h(
          "select",
          {
            class: "model",
            "aria-label": t("model"),
            onchange: (event) => go({ model: event.target.value }),
          },
          model ? null : h("option", { value: "", selected: true }, t("choose.model")),
          models.map((m) => h("option", { value: m.name, selected: m.name === model?.name, title: m.what }, m.name)),
        )
      : null,
    h(
      "nav",
      { class: "views", "aria-label": t("views") },
      possible.map((name) =>
        h(
          "a",
          { href: state.address({ view: name }), "aria-current": name === view ? "page" : null },
          t(`view.${name}`),
        ),
      ),
    ),
    h("span", { class: "push" }),
    h(
      "div",
      { class: "tools" },
      h(
        "button",
        {
          class: "plain",
          lang: other === "zh" ? "zh-CN" : "en",
          id: "language",
          onclick: () => {
            choose(other);
            show();
          },
        },
        other === "zh" ? "简体中文" : "English",
      ),
      h(
        "button",
        {
          class: "plain icon-button",
          id: "theme",
          "aria-label": isDark() ? t("to.light") : t("to.dark"),
          title: isDark() ? t("to.light") : t("to.dark"),
          onclick: () => {
            toggle();
            draw(model, view, possible);
          },
        },
        isDark() ? "☀" : "☾",
      ),
    ),
  );
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
let last = "";
function moved(saved) {
  const key = `${saved.model ?? ""}|${saved.view ?? ""}|${saved.edit ?? ""}`;
  if (key === last && shown?.restore) shown.restore(saved);
  else {
    last = key;
    show();
  }
}
state.listen(moved);
moved(state.read());
