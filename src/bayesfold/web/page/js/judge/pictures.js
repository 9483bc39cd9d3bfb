// Pictures that plotly draws, in the light of the page; its script is loaded when the first one is needed.

import { h } from "/js/dom.js";
import { isDark } from "/js/theme.js";

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
  const figure = isDark() ? picture.dark : picture.light;
  const width = Math.min(figure.layout.width, Math.max(440, element.clientWidth));
  const height = Math.round(figure.layout.height * Math.min(1, Math.max(0.75, width / figure.layout.width)));
  element.setAttribute("aria-label", figure.layout.title?.text ?? "");
  await plotly.react(
    element,
    figure.data,
    { ...figure.layout, width, height, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" },
    { displayModeBar: false },
  );
}
