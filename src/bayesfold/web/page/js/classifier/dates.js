// Dates: how one is entered, and the parts of it that a model reads, as people read them.

import { current, t, termOf } from "/js/words.js";

const PART = /\((year|month|weekday|hour|days)(?:, [dmy/]+)?\)$/;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?)?$/;
const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const DAY = 86400000;

const partIn = (name) => PART.exec(name)?.[1];

// The input in which a date is entered: with its time of day, where the model reads that.
export function inputOf(column) {
  const parts = column.parts.map(partIn);
  if (!parts.includes("hour")) return "date";
  return parts.length > 1 ? "datetime-local" : "time";
}

// A value as such an input takes it; null where it is written in a form that only a text can show.
export function valueFor(input, value) {
  const [, day, clock] = ISO.exec(value) ?? [];
  if (input === "time" && CLOCK.test(value)) return value;
  if (!day) return null;
  if (input === "date") return day;
  return input === "time" ? (clock ?? "00:00") : `${day}T${clock ?? "00:00"}`;
}

// The part of a date that a name means, as {column, part}; undefined for any other column.
function partOf(columns, name) {
  const column = columns.find((one) => one.parts.includes(name));
  return column && { column: column.name, part: partIn(name) };
}

export function nameOf(columns, name) {
  const found = partOf(columns, name);
  return found ? t("date.part", { column: found.column, part: t(`date.${found.part}`) }) : name;
}

// The value of a column in words: days since 1970 are a date, the hour is a time.
export function wordsFor(columns, name, value) {
  const part = partOf(columns, name)?.part;
  if (value === null || value === undefined) return value;
  if (part === "weekday") return termOf("weekday", value);
  if (part === "days" && typeof value === "number") return new Date(value * DAY).toISOString().slice(0, 10);
  if (part === "hour" && typeof value === "number") return new Date(value * 3600000).toISOString().slice(11, 16);
  return value;
}

export const isPart = (columns, name) => partOf(columns, name) !== undefined;

// Reasons of an explanation, in these words.
export const withDates = (columns, explanation) => ({
  ...explanation,
  reasons: explanation.reasons.map((reason) => ({
    ...reason,
    part: nameOf(columns, reason.part),
    value: wordsFor(columns, reason.part, reason.value),
  })),
});

// A date with its weekday, where that is what the model reads.
export function withWeekday(columns, name, value) {
  const column = columns.find((one) => one.name === name);
  const [, day] = ISO.exec(value) ?? [];
  if (!day || !column?.parts.some((part) => partIn(part) === "weekday")) return value;
  const words = new Intl.DateTimeFormat(current(), { weekday: "long", timeZone: "UTC" });
  return `${String(value).replace("T", " ")} (${words.format(new Date(`${day}T00:00Z`))})`;
}
