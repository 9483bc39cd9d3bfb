// The nomogram of the two classes that are explained, and how to read it; of models that have none, why.

import { at, get } from "/js/api.js";
import { isPart, nameOf, wordsFor } from "/js/classifier/dates.js";
import { nomogram } from "/js/classifier/nomogram.js";
import { fill, h } from "/js/dom.js";
import { complaint } from "/js/parts.js";
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

  async draw({ decision, against, reasons }, { classes, probabilities }, row) {
    const key = `${decision}|${against}`;
    const turn = {};
    this.turn = turn;
    if (this.points?.key !== key) {
      const query = new URLSearchParams({ of: String(decision), against: String(against) });
      const asked = get(`${at(this.model.name, "nomogram")}?${query}`);
      this.points = {
        key,
        told: asked.then(
          (chart) => ({ chart: this.within(chart) }),
          (error) => ({ error }),
        ),
      };
    }
    const { chart, error } = await this.points.told;
    if (this.turn !== turn) return; // a newer answer draws
    if (error) {
      const none = error.type === "not-possible"; // what else goes wrong may go right the next time
      if (!none) this.points = null;
      this.reading.textContent = none ? t("nomogram.none") : "";
      fill(this.picture, none ? null : complaint(error));
      return;
    }
    this.reading.textContent = t("nomogram.why", { of: chart.of, against: chart.against });
    const p = (c) => probabilities[classes.findIndex((one) => String(one) === String(c))];
    const parts = reasons.filter((reason) => isPart(this.model.columns, reason.part));
    const known = { ...row, ...Object.fromEntries(parts.map((reason) => [reason.part, reason.value])) };
    fill(this.picture, nomogram(chart, known, Math.log(p(chart.of) / p(chart.against))));
  }

  // The lines as far as the sliders reach; parts of dates in words.
  within(chart) {
    const { columns } = this.model;
    const scales = new Map(columns.filter((c) => c.kind === "number").map((c) => [c.name, c.values]));
    const cut = (line) => {
      const [low, high] = [scales.get(line.name)?.[0], scales.get(line.name)?.at(-1)];
      const kept = line.values.map((_, i) => i).filter((i) => !(line.values[i] < low || line.values[i] > high));
      return { ...line, values: kept.map((i) => line.values[i]), points: kept.map((i) => line.points[i]) };
    };
    const lines = chart.lines.map((line) => ({
      ...(line.is_number ? cut(line) : line),
      title: nameOf(columns, line.name),
      words: (value) => wordsFor(columns, line.name, value),
    }));
    return { ...chart, lines };
  }
}
