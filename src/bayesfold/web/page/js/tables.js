// A place to drop a table on, or to choose one that is here already.

import { call, get, json } from "/js/api.js";
import { fill, h } from "/js/dom.js";
import { complaint, loading } from "/js/parts.js";
import { t } from "/js/words.js";

const ACCEPTED = ".csv,.tsv,.txt,.gz,.parquet,.pq,.arrow,.feather";

// `chosen` hears the table as the server describes it.
export function dropZone(chosen, small = false) {
  const input = h("input", {
    type: "file",
    accept: ACCEPTED,
    class: "sr",
    id: "file",
    onchange: () => send(input.files[0]),
  });
  const said = h("div", { role: "status" });
  const others = h("div", { class: "line" });
  const zone = h(
    "div",
    {
      class: `drop${small ? " small" : ""}`,
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        send(event.dataTransfer.files[0]);
      },
    },
    h("strong", {}, t("drop.table")),
    small ? null : h("span", { class: "faint" }, t("drop.why")),
    h("label", { for: "file", class: "sr" }, t("choose.file")),
    input,
    h("button", { class: "primary", onclick: () => input.click() }, t("choose.file")),
    others,
    said,
  );

  async function send(file) {
    if (!file) return;
    fill(said, loading(t("sending", { name: file.name })));
    try {
      const response = await call("POST", `tables?name=${encodeURIComponent(file.name)}`, {
        raw: file,
        type: "application/octet-stream",
      });
      fill(said);
      chosen(await json(response));
    } catch (error) {
      fill(said, complaint(error));
    }
    input.value = "";
  }

  async function pick(id) {
    fill(said, loading());
    try {
      const sent = await get(`tables/${encodeURIComponent(id)}`);
      fill(said);
      chosen(sent);
    } catch (error) {
      fill(said, complaint(error));
    }
  }

  get("tables")
    .then(({ tables }) => {
      if (tables.length)
        fill(
          others,
          h("span", { class: "faint" }, t("or.use")),
          tables.map(({ id, name }) => h("button", { onclick: () => pick(id) }, name)),
        );
    })
    .catch(() => {});
  zone.pick = pick;
  return zone;
}
