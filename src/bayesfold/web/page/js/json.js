// JSON in which no digit is lost: whole numbers that are no doubles, as classes and levels may be, are BigInts here.

const MARK = "\u0001whole\u0001";
const MARKED = /"\\u0001whole\\u0001(-?\d+)"/g;
const LONG = /(?:^|[^\d.])\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const isLong = (token) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

export function parse(text) {
  if (!LONG.test(text)) return JSON.parse(text);
  const marked = text.replace(TOKEN, (token) => (isLong(token) ? JSON.stringify(MARK + token) : token));
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

export const stringify = (value) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? MARK + one : one)).replace(MARKED, "$1");
