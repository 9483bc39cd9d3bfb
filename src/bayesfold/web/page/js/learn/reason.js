// Why a column is taken for what it is, where the page has words for the server's.

import { t, termOf } from "/js/words.js";

export function reason(why) {
  const best = /^best held-out density of (.+)$/.exec(why);
  return best ? t("why.best", { names: best[1] }) : termOf("why", why);
}
