// Pictures that plotly draws, in the light of the page; its script is loaded when the first one is needed.

import { h } from "/js/dom.js";
import { inWords } from "/js/judge/plot_words.js";
import { isDark } from "/js/theme.js";

const LEAST = 300;
const NARROW = 440;
let script = null;

function loaded() {
  script ??= new Promise((resolve, reject) => {
    // As it loads, plotly writes a style for maps into the page; inline style is not allowed here, and no map is drawn.
    const make = document.createElement;
    const done = (work) => () => {
      document.createElement = make;
      work();
    };
    const element = h("script", {
      src: "/plotly.min.js",
      onload: done(() => resolve(globalThis.Plotly)),
      onerror: done(() => {
        script = null;
        reject(new Error("plotly"));
      }),
    });
    document.createElement = (name, ...more) => make.call(document, name === "style" ? "template" : name, ...more);
    document.head.append(element);
  });
  return script;
}

export async function draw(element, picture) {
  const plotly = await loaded();
  const whole = isDark() ? picture.dark : picture.light;
  const drawn = whole.narrow && element.clientWidth < 0.7 * whole.layout.width ? whole.narrow : whole;
  const width = Math.min(drawn.layout.width, Math.max(LEAST, element.clientWidth));
  const figure = inWords(drawn, width < NARROW, width);
  const height = Math.round(figure.layout.height * Math.min(1, Math.max(0.75, width / figure.layout.width)));
  const family = getComputedStyle(document.body).fontFamily;
  const small = width < NARROW;
  const layout = {
    ...figure.layout,
    width,
    height,
    font: { ...figure.layout.font, family, size: small ? 11 : 13 },
    title: { ...figure.layout.title, font: { size: small ? 14 : 16 } },
    margin: { ...figure.layout.margin, ...(small ? { l: 48, r: 12 } : {}) },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
  };
  element.setAttribute("aria-label", figure.layout.title?.text ?? "");
  await plotly.react(element, figure.data, layout, { displayModeBar: false });
}
