// Words of the page in the reader's language; names, states and columns stay as they are in the model.

import { words as en } from "/words/en.js";
import { words as zh } from "/words/zh.js";

const LANGUAGES = { en, zh };
const TAGS = { en: "en", zh: "zh-CN" };
let language = localStorage.getItem("language") ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
if (!(language in LANGUAGES)) language = "en";
document.documentElement.lang = TAGS[language];

export const current = () => language;

export function choose(name) {
  language = name;
  localStorage.setItem("language", name);
  document.documentElement.lang = TAGS[name];
}

export function t(key, values = {}) {
  const text = LANGUAGES[language][key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// A word that the server sends (a family, a part of an explanation), where the page has one for it.
export const termOf = (kind, name) => LANGUAGES[language][`${kind}.${name}`] ?? en[`${kind}.${name}`] ?? String(name);
export const hasTerm = (kind, name) => `${kind}.${name}` in en;
