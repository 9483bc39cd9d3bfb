// A form made from what the model reads: pickers, sliders with the class densities behind them, dates, texts; or unknown.

import { inputOf, valueFor } from "/js/classifier/dates.js";
import { digits, h, svg } from "/js/dom.js";
import { t, termOf } from "/js/words.js";

const MOST_CHOICES = 8;

export class Field {
  // `colours`: that of each class.
  constructor(column, colours, changed) {
    Object.assign(this, { column, colours, changed, value: null });
    this.id = `field-${column.name}`;
    this.unknown = h(
      "button",
      { class: "plain", "aria-pressed": "true", onclick: () => this.tell(null, true) },
      t("unknown"),
    );
    this.label =
      ["number", "words", "date"].includes(column.kind) || column.values.length > MOST_CHOICES
        ? h("label", { for: this.id }, column.name)
        : h("span", { class: "legend", id: this.id }, column.name);
    const body = this.body();
    this.element = h(
      "div",
      { class: "field unknown", "data-column": column.name },
      h(
        "div",
        { class: "field-head" },
        this.label,
        column.family ? h("small", { title: column.why }, termOf("family", column.family)) : null,
        this.unknown,
      ),
      body,
    );
  }

  body() {
    if (this.column.kind === "number") return this.number();
    if (this.column.kind === "words") return this.text();
    if (this.column.kind === "date") return this.date();
    return this.column.values.length > MOST_CHOICES ? this.list() : this.choices();
  }

  // Shows a value (null: unknown); `say`: a person entered it.
  tell(value, say = false) {
    this.value = value === "" || Number.isNaN(value) ? null : value;
    const unknown = this.value === null;
    this.element.classList.toggle("unknown", unknown);
    this.unknown.setAttribute("aria-pressed", String(unknown));
    this.show(this.value);
    if (say) this.changed();
  }

  // ------------------------------------------------------------------------------------------------ kinds

  number() {
    const grid = this.column.values;
    const [low, high] = [grid[0] ?? 0, grid.at(-1) ?? 1];
    const step = this.column.whole ? 1 : Number(((high - low) / 400 || 0.01).toPrecision(1));
    const middle = this.column.whole ? Math.round((low + high) / 2) : (low + high) / 2;
    const here = h("span", { class: "here", hidden: true });
    const slider = h("input", {
      type: "range",
      min: String(low),
      max: String(high),
      step: this.column.whole ? "1" : "any",
      value: String(middle),
      "aria-label": t("slider", { column: this.column.name }),
      oninput: () =>
        this.tell(
          this.column.whole ? Math.round(Number(slider.value)) : Number(Number(slider.value).toPrecision(4)),
          true,
        ),
    });
    const field = h("input", {
      type: "number",
      step: step === 1 ? "1" : "any",
      id: this.id,
      placeholder: t("unknown"),
      oninput: () => this.tell(field.value === "" ? null : Number(field.value), true),
    });
    this.show = (value) => {
      if (document.activeElement !== field) field.value = value === null ? "" : String(value);
      if (value !== null) slider.value = String(value);
      here.hidden = value === null;
      here.style.left = `${Math.min(100, Math.max(0, (100 * (value - low)) / (high - low || 1)))}%`;
    };
    const at = this.column.density_at;
    const drawn = at.length > 1 && at.every((x) => typeof x === "number") ? curves(this.column, this.colours, low, high) : null;
    if (grid.length < 2) return h("div", { class: "number-line" }, h("small", { class: "faint" }, t("mute")), field);
    return h(
      "div",
      { class: "number-line" },
      h(
        "div",
        {},
        h("div", { class: drawn ? "density" : "" }, drawn, here),
        slider,
        h("div", { class: "ends" }, h("span", {}, digits(low, 3)), h("span", {}, digits(high, 3))),
      ),
      field,
    );
  }

  choices() {
    const buttons = this.column.values.map((value, k) =>
      h(
        "button",
        {
          class: "choice",
          role: "radio",
          "aria-checked": "false",
          tabindex: k ? "-1" : "0",
          "data-value": String(value),
          onclick: () => this.tell(this.value === value ? null : value, true),
          onkeydown: (event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            const next = (k + step + buttons.length) % buttons.length;
            this.tell(this.column.values[next], true);
            buttons[next].focus();
          },
        },
        String(value),
        mini(this.column, this.colours, value),
      ),
    );
    this.show = (value) =>
      buttons.forEach((button, k) => {
        const on = this.column.values[k] === value;
        button.setAttribute("aria-checked", String(on));
        button.tabIndex = on || (value === null && k === 0) ? 0 : -1;
      });
    return h("div", { class: "choices", role: "radiogroup", "aria-labelledby": this.id }, buttons);
  }

  list() {
    const select = h(
      "select",
      {
        id: this.id,
        onchange: () => this.tell(select.value === "" ? null : this.column.values[Number(select.value)], true),
      },
      h("option", { value: "" }, t("unknown")),
      this.column.values.map((value, k) => h("option", { value: String(k) }, String(value))),
    );
    this.show = (value) => {
      select.value = value === null ? "" : String(this.column.values.indexOf(value));
    };
    return select;
  }

  // A calendar, or a text for a date that is written in another form than calendars know.
  date() {
    const input = inputOf(this.column);
    const field = h("input", {
      type: input,
      id: this.id,
      placeholder: t("unknown"),
      onchange: () => this.tell(field.value.trim() || null, true),
    });
    this.show = (value) => {
      const known = value === null ? "" : valueFor(input, value);
      field.type = known === null ? "text" : input;
      if (document.activeElement !== field || field.value !== known) field.value = known ?? value;
    };
    return field;
  }

  text() {
    const area = h("textarea", {
      id: this.id,
      placeholder: t("type.here"),
      oninput: () => this.tell(area.value.trim() ? area.value : null, true),
    });
    this.said = h("div", { class: "said", "aria-live": "off" });
    this.show = (value) => {
      if (document.activeElement !== area) area.value = value ?? "";
    };
    return h("div", {}, area, this.said);
  }

  // Words of a text, marked by what they say.
  colourWords(says) {
    if (!this.said) return;
    const most = Math.max(...says.values().map((x) => Math.abs(x)), 1e-9);
    this.said.replaceChildren(
      ...(this.value ?? "").split(/([\p{L}\p{N}_]+)/u).map((piece) => {
        const x = says.get(piece.toLowerCase());
        if (x === undefined || Math.abs(x) < 0.02 * most) return piece;
        const share = Math.round(12 + 48 * (Math.abs(x) / most));
        return h(
          "span",
          {
            class: x > 0 ? "for" : "against",
            title: `${x > 0 ? "+" : "−"}${Math.abs(x).toFixed(3)}`,
            style: { background: `color-mix(in srgb, var(${x > 0 ? "--up" : "--down"}) ${share}%, transparent)` },
          },
          piece,
        );
      }),
    );
  }
}

// P(value | class) of a number, one curve for each class.
function curves(column, colours, low, high) {
  const most = Math.max(...column.density.flat(), 1e-300);
  const x = (v) => (100 * (v - low)) / (high - low || 1);
  return svg(
    "svg",
    {
      viewBox: "0 0 100 58",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("density", { column: column.name }),
    },
    column.density.map((density, k) => {
      if (!density.length) return null;
      const points = density.map(
        (p, i) => `${x(column.density_at[i]).toFixed(2)} ${(56 - 53 * (p / most)).toFixed(2)}`,
      );
      return [
        svg("path", { d: `M0 57L${points.join("L")}L100 57Z`, style: { fill: colours[k], opacity: ".16" } }),
        svg("path", {
          d: `M${points.join("L")}`,
          "vector-effect": "non-scaling-stroke",
          style: {
            fill: "none",
            stroke: colours[k],
            "stroke-width": "1.7px",
          },
        }),
      ];
    }),
  );
}

function mini(column, colours, value) {
  const k = column.density_at.indexOf(value);
  if (k < 0) return null;
  return h(
    "span",
    { class: "mini", "aria-hidden": "true" },
    column.density.map((density, c) =>
      density.length ? h("i", { style: { height: `${100 * density[k]}%`, background: colours[c] } }) : null,
    ),
  );
}
