// The nomogram of the two classes that are explained, and how to read it; of models that have none, why.

import { at, get } from "/js/api.js";
import { nomogram } from "/js/classifier/nomogram.js";
import { fill, h } from "/js/dom.js";
import { t } from "/js/words.js";

export class NomogramCard {
  constructor(model) {
    this.model = model;
    this.reading = h("p", { class: "faint" });
    this.picture = h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t("nomogram") });
    this.element = h(
      "section",
      { class: "card full nomogram" },
      h("h2", {}, t("nomogram")),
      this.reading,
      this.picture,
    );
  }

  async draw({ decision, against }, { classes, probabilities }, row) {
    const key = `${decision}|${against}`;
    if (this.points?.key !== key) {
      const query = new URLSearchParams({ of: String(decision), against: String(against) });
      this.points = { key };
      try {
        this.points.chart = this.within(await get(`${at(this.model.name, "nomogram")}?${query}`));
      } catch (error) {
        this.points.error = error;
      }
    }
    const { chart, error } = this.points;
    if (!chart && !error) return; // another answer has asked already
    this.reading.textContent = chart ? t("nomogram.why", { of: chart.of, against: chart.against }) : t("nomogram.none");
    if (error) fill(this.picture);
    if (!chart) return;
    const p = (c) => probabilities[classes.findIndex((one) => String(one) === String(c))];
    fill(this.picture, nomogram(chart, row, Math.log(p(chart.of) / p(chart.against))));
  }

  // The lines from where the sliders begin.
  within(chart) {
    const least = new Map(this.model.columns.filter((c) => c.kind === "number").map((c) => [c.name, c.values[0]]));
    const cut = (line) => {
      const kept = line.values.map((_, i) => i).filter((i) => !(line.values[i] < least.get(line.name)));
      return { ...line, values: kept.map((i) => line.values[i]), points: kept.map((i) => line.points[i]) };
    };
    return { ...chart, lines: chart.lines.map((line) => (line.is_number ? cut(line) : line)) };
  }
}
