// The one door to the server: /api/v1. An error is a Problem with a type, a title and a sentence.

import { parse, stringify } from "/js/json.js";
import { hasTerm, t } from "/js/words.js";

export class Problem extends Error {
  constructor(problem, status) {
    const said = problem.detail ?? t("unreachable");
    super(hasTerm("problem", problem.type) ? t(`problem.${problem.type}`, { detail: said }) : said);
    this.type = problem.type ?? "unreachable";
    this.title = problem.title ?? "";
    this.status = status;
  }
}

const BASE = "/api/v1/";
let token = sessionStorage.getItem("token") ?? "";
let asking = null;
let askForToken = async () => "";

export function whenTokenIsAsked(ask) {
  askForToken = ask;
}

export async function call(method, path, { body, raw, type, signal, accept } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (raw !== undefined) headers["Content-Type"] = type;
  if (accept) headers.Accept = accept;
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers,
      signal,
      body: raw ?? (body === undefined ? undefined : stringify(body)),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({}, 0);
  }
  if (response.status === 401) {
    if (headers.Authorization === (token ? `Bearer ${token}` : undefined)) {
      // else another request has just asked
      asking ??= askForToken().finally(() => {
        asking = null;
      });
      token = await asking;
      sessionStorage.setItem("token", token);
    }
    return call(method, path, { body, raw, type, signal, accept });
  }
  if (!response.ok) throw new Problem(await json(response).catch(() => ({})), response.status);
  return response;
}

export const json = async (response) => parse(await response.text());
export const get = async (path, more) => json(await call("GET", path, more));
export const post = async (path, body, more) => json(await call("POST", path, { body, ...more }));
export const remove = async (path) => json(await call("DELETE", path));
export const at = (model, ...question) => ["models", encodeURIComponent(model), ...question].join("/");

export async function download(path, fallback) {
  const response = await call("GET", path);
  const match = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "");
  return { blob: await response.blob(), name: match ? decodeURIComponent(match[1]) : fallback };
}

// Questions that follow each other quickly: an answer, or an error, that a newer question has overtaken is dropped;
// `drop` drops the one under way without another.
export function latest() {
  let running = null;
  const ask = async (work) => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    try {
      const answer = await work(mine.signal);
      return mine.signal.aborted ? undefined : answer;
    } catch (error) {
      if (mine.signal.aborted || error.name === "AbortError") return undefined;
      throw error;
    }
  };
  ask.drop = () => running?.abort();
  return ask;
}
