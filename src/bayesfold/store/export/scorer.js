// Scores rows with a model that bayesfold exported. No dependencies; Node and browsers.
//
//   const model = bayesfold(plan)            // the JSON of bf.export_model(classifier, "model.json")
//   model.proba({age: 41, city: "Rome"})     // P(class | row), in the order of model.classes
//   model.predict({age: 41, city: "Rome"})   // the class of least risk, or the reject label
//   model.unseenShare                        // the probability of a class never seen; proba is given that it is not
//
// A row is an object. A key that it lacks, null, NaN and "" are missing. A list of rows gives a list of answers.
"use strict";

function bayesfold(plan) {
  if (plan.version !== 1) {
    throw new Error(`this model has the version ${plan.version}, and this scorer reads 1; export both again`);
  }
  const K = plan.classes.length;
  const truths = new Map([["true", true], ["false", false]]); // an object would know "constructor", too
  const digits = new Map([["1", true], ["1.0", true], ["0", false], ["0.0", false]]);
  const readers = plan.columns.map(reader);
  const members = plan.members.map(member);
  const known = new Set(plan.sources);
  const plain = new Set(["string", "number", "boolean", "bigint", "undefined"]);

  function logProba(row) {
    if (Array.isArray(row)) return row.map(logProba);
    if (typeof row !== "object" || row === null) throw new Error(`a row is an object, not ${shown(row)}`);
    const names = Object.keys(row);
    if (names.length && known.size && !names.some((name) => known.has(name))) {
      throw new Error(`this row has ${listed(names)}, and none of the columns of the model: ${listed(plan.sources)}`);
    }
    const cells = readers.map((read) => read(row));
    const bare = !cells.some((cell) => cell.says);
    const said = members.map((score) => score(cells, bare));
    let joint = said[0];
    if (plan.pool) {
      const { weights, bias, shift, doubt } = plan.pool;
      const floored = said.map((logs) => normalised(logs).map((l) => Math.log(Math.exp(Math.max(l, -30)) + doubt)));
      joint = range(K).map((k) => sum(weights, (w, m) => w * floored[m][k]) + bias[k]);
      joint = plus(bare ? plan.pool.bare : joint, shift);
    }
    for (const k of plan.impossible) joint[k] = -Infinity;
    return normalised(joint);
  }

  function predict(row) {
    if (Array.isArray(row)) return row.map(predict);
    const logs = logProba(row);
    const { costs, reject_cost: limit, reject_label: label } = plan.decision;
    let best = argmax(logs);
    if (costs === null && limit === null) return plan.classes[best];
    const p = logs.map(Math.exp);
    const risks = range(K).map((d) => sum(p, (q, t) => q * (costs === null ? Number(d !== t) : costs[d][t])));
    if (costs !== null) {
      const stakes = costs.map((line) => sum(p, (q, t) => q * Math.abs(line[t])));
      const least = Math.min(...risks);
      best = argmax(logs.map((l, d) => (risks[d] <= least + 1e-12 * stakes[d] ? l : -Infinity)));
    }
    return limit === null || risks[best] <= limit ? plan.classes[best] : label;
  }

  function proba(row) {
    return Array.isArray(row) ? row.map(proba) : logProba(row).map(Math.exp);
  }

  const unseenShare = plan.decision.unseen_share ?? 0;
  return { classes: plan.classes, columns: plan.sources, target: plan.target, unseenShare, logProba, proba, predict };

  // what a value becomes: {slot} or {x}, and whether it `says` something

  function reader(column) {
    switch (column.kind) {
      case "levels": {
        const slotOf = slots(column.levels);
        const marked = markers(column.missing);
        return (row) => {
          const value = cell(row, column.source);
          const gone = missing(value) || marked(value);
          const slot = gone ? column.hole : (slotOf(value) ?? column.levels.length + 1);
          return { slot, says: slot !== column.hole && slot > 0 && slot <= column.levels.length };
        };
      }
      case "bins": {
        const read = number(column);
        return (row) => {
          const x = read(row);
          return x === null ? { slot: column.hole, says: false } : { slot: 1 + notBelow(column.cuts, x), says: true };
        };
      }
      case "presence": {
        const marked = markers(column.missing);
        const read = column.number ? number(column) : null;
        return (row) => {
          const value = cell(row, column.source);
          const gone = read ? read(row) === null : missing(value) || marked(value);
          return { slot: gone ? 2 : 1, says: false };
        };
      }
      case "number": {
        const read = number(column);
        return (row) => {
          let x = read(row);
          if (x !== null && column.log) x = x > 0 ? Math.log(x) : null;
          return { x, says: x !== null };
        };
      }
      case "counts": {
        const reads = column.sources.map((source) => number({ source, missing: [] }));
        return (row) => {
          const x = reads.map((read, i) => {
            const value = read(row);
            if (value === null) throw new Error(`column ${JSON.stringify(column.sources[i])} is a count; it is missing`);
            return column.above === null ? value : Number(value > column.above);
          });
          return { x, says: sum(x, (v) => v) !== 0 };
        };
      }
      case "terms": {
        const shared = column.like === null ? column : plan.columns[column.like];
        const place = new Map(shared.terms.map((term, i) => [term, i]));
        const found = analyser(column, shared.letters);
        const marked = markers(column.missing);
        return (row) => {
          const value = cell(row, column.source);
          if (missing(value) || marked(value)) return { terms: [], says: false };
          if (typeof value !== "string") {
            throw new Error(`column ${JSON.stringify(column.source)} is text, but this row has ${JSON.stringify(value)}`);
          }
          const terms = weighed(column, place, found(value));
          return { terms, says: terms.length > 0 };
        };
      }
      case "vector": {
        const axes = column.axes.map(axis);
        return (row) => {
          const parts = axes.map((read) => read(row));
          return { x: parts.flatMap((part) => part.x), says: parts.some((part) => part.says) };
        };
      }
    }
    throw new Error(`this scorer does not know columns of the kind ${column.kind}`);
  }

  function axis(part) {
    if (part.kind === "one hot") {
      const marked = markers(part.missing);
      const slotOf = slots(part.levels);
      return (row) => {
        const value = cell(row, part.source);
        if (missing(value) || marked(value)) return { x: part.hole, says: false };
        const slot = slotOf(value);
        if (!slot) return { x: part.unseen, says: false };
        return { x: part.levels.map((_, i) => Number(i + 1 === slot)), says: true };
      };
    }
    const read = number(part);
    if (part.kind === "flag") return (row) => ({ x: [Number(read(row) === null)], says: false });
    return (row) => {
      const x = read(row);
      if (x === null) return { x: [0], says: false };
      const z = ((part.knots.length ? between(part.knots, x) : x) - part.centre) / part.unit;
      return { x: [Math.min(Math.max(z, -part.limit), part.limit)], says: true };
    };
  }

  // members

  function member(m) {
    const factors = m.factors.map(factor);
    const networks = m.networks && joined(m.networks);
    return (cells, bare) => {
      let joint = m.prior.slice();
      for (const add of factors) add(cells, joint);
      if (networks) joint = plus(joint, networks(cells));
      joint = joint.map((l, k) => m.exponent * l + m.bias[k]);
      return plus(bare && m.bare ? m.bare : joint, m.shift);
    };
  }

  function factor(f) {
    switch (f.kind) {
      case "table":
        return (cells, joint) => add(joint, f.log[cells[f.column].slot]);
      case "normal":
        return (cells, joint) => {
          const x = cells[f.column].x;
          if (x === null) return;
          for (let k = 0; k < K; k++) {
            const d = x - f.mean[k];
            joint[k] += f.constant[k] - Math.max(Math.min(f.precision[k] * d * d, 1e290), -1e290);
          }
        };
      case "rate":
        return (cells, joint) => {
          const x = cells[f.column].x;
          if (x === null || x < 0) return;
          for (let k = 0; k < K; k++) joint[k] += Math.min(x, 2 ** 500) * f.slope[k] - f.rate[k];
        };
      case "linear":
        return (cells, joint) => {
          const { x, terms } = cells[f.column];
          for (let k = 0; k < K; k++) {
            const said = terms ? sum(terms, ([i, v]) => v * f.weights[i][k]) : sum(x, (v, i) => v * f.weights[i][k]);
            joint[k] += said + f.constant[k];
          }
        };
      case "multinormal":
        return (cells, joint) => {
          const far = 2 ** 100;
          const x = cells[f.column].x;
          const z = x.map((v, i) => (f.unit[i] === null ? 0 : Math.min(Math.max(v / f.unit[i], -far), far)));
          const shared = f.whitening.length === 1;
          const alike = shared && product(z, f.whitening[0]);
          for (let k = 0; k < K; k++) {
            const mean = f.mean[k];
            const away = shared ? alike.map((v, i) => v - mean[i]) : product(z.map((v, i) => v - mean[i]), f.whitening[k]);
            joint[k] += f.power * (f.constant[k] - 0.5 * sum(away, (v) => v * v));
          }
        };
      case "parzen":
        return (cells, joint) => {
          const x = product(cells[f.column].x.map((v, i) => v - f.centre[i]), f.whitening);
          const squares = f.places.map((place) => sum(place, (v, i) => (x[i] - v) * (x[i] - v)));
          const least = squares.reduce((a, b) => Math.min(a, b), Infinity);
          const near = new Array(K).fill(0);
          squares.forEach((square, z) => {
            const factor = Math.exp(-f.precision * (square - least));
            for (let k = 0; k < K; k++) near[k] += factor * f.weight[z][k];
          });
          const every = sum(near, (v) => v);
          const rows = sum(f.total, (v) => v);
          for (let k = 0; k < K; k++) {
            joint[k] += f.power * Math.log((near[k] / every + f.m / rows) / (f.total[k] + f.m));
          }
        };
    }
    throw new Error(`this scorer does not know factors of the kind ${f.kind}`);
  }

  // networks with feature parents

  function joined(n) {
    const parents = new Set(n.roots.length ? [] : n.networks[0].flatMap((node) => node.columns.slice(0, -1)));

    function said(nodes, codes) {
      const total = new Array(K).fill(0);
      for (const node of nodes) {
        let cell = 0;
        for (const c of node.columns) cell = cell * n.slots[c] + codes[c];
        add(total, node.log[cell]);
      }
      return total;
    }

    function averaged(codes) {
      const heard = n.roots.map((roots) => roots.every((c) => n.heard[c][codes[c]]));
      const logs = n.networks.map((nodes) => said(nodes, codes));
      const voices = range(heard.length).filter((i) => heard[i]);
      const naive = () => said(n.naive, codes);
      if (n.combine === "product") {
        const mean = voices.length ? range(K).map((k) => sum(voices, (i) => logs[i][k]) / voices.length) : naive();
        return range(K).map((k) => sum(logs, (l, i) => n.weights[i] * (heard[i] ? l[k] : mean[k])));
      }
      const speaking = voices.filter((i) => n.weights[i] > 0);
      if (!speaking.length) return naive();
      const whole = Math.log(sum(speaking, (i) => n.weights[i]));
      return range(K).map((k) => logSum(speaking.map((i) => logs[i][k] + Math.log(n.weights[i]))) - whole);
    }

    function summedOut(codes) {
      const found = relevant(codes);
      const terms = found.reduce((size, c) => size * (n.slots[c] - 1), 1);
      if (!found.length || terms < 1 || terms > n.most_sums) return said(n.networks[0], codes);
      const full = codes.slice();
      const every = [];
      for (let t = 0; t < terms; t++) {
        let rest = t;
        for (const c of found) {
          full[c] = 1 + (rest % (n.slots[c] - 1));
          rest = Math.floor(rest / (n.slots[c] - 1));
        }
        every.push(said(n.networks[0], full));
      }
      return range(K).map((k) => logSum(every.map((logs) => logs[k])));
    }

    // the missing columns that an observed column depends on, by way of missing ones
    function relevant(codes) {
      const found = new Set();
      for (let before = -1; before < found.size; ) {
        before = found.size;
        for (const { columns } of n.networks[0]) {
          const child = columns[columns.length - 1];
          if (codes[child] !== 0 || found.has(child)) {
            for (const c of columns.slice(0, -1)) if (codes[c] === 0) found.add(c);
          }
        }
      }
      return [...found];
    }

    return (cells) => {
      const actual = n.columns.map((c, i) => (cells[c].slot < n.slots[i] ? cells[c].slot : 0));
      const codes = actual.slice();
      for (const pair of n.implications) {
        const [x, y] = [actual[pair.first], actual[pair.second]];
        if (pair.forth[x][y]) codes[pair.second] = 0;
        if (pair.back[x][y]) codes[pair.first] = 0;
      }
      if (n.roots.length) return averaged(codes);
      const holes = n.most_sums > 0 && codes.some((slot, c) => slot === 0 && parents.has(c));
      return holes ? summedOut(codes) : said(n.networks[0], codes);
    };
  }

  // text

  function analyser({ analyzer, ngrams }, letters) {
    const isWord = within(letters.words);
    const isSpace = within(letters.spaces);
    const lower = new Map(letters.lower.map((pair) => pair.map((point) => String.fromCodePoint(point))));
    const runs = (units, glue) => {
      const terms = [];
      for (let n = ngrams[0]; n <= Math.min(ngrams[1], units.length); n++) {
        for (let i = 0; i + n <= units.length; i++) terms.push(units.slice(i, i + n).join(glue));
      }
      return terms;
    };
    return (text) => {
      const characters = Array.from(text, (c) => (/^[\ud800-\udfff]$/.test(c) ? "?" : c));
      const small = lower.size ? lowered(characters, lower) : characters;
      if (analyzer === "word") return runs(split(small, (c) => !isWord(c)).filter((w) => w.length > 1).map(joined), " ");
      if (analyzer === "char") return runs(squeezed(small, isSpace), "");
      return split(small, isSpace).flatMap((word) => {
        const bounded = [" ", ...word, " "];
        const most = Math.min(ngrams[1], Math.max(bounded.length, ngrams[0]));
        const terms = [];
        for (let n = ngrams[0]; n <= most; n++) {
          for (let i = 0; i === 0 || i + n <= bounded.length; i++) terms.push(bounded.slice(i, i + n).join(""));
          if (n >= bounded.length) break; // a word shorter than n counts once
        }
        return terms;
      });
    };

    function joined(word) {
      return word.join("");
    }
  }

  // Python's rules: a capital sigma behind a letter that has a case, and before none, is a final one
  function lowered(characters, lower) {
    const ignored = /^\p{Case_Ignorable}$/u;
    const cased = /^\p{Cased}$/u;
    const next = (i, step) => {
      do i += step;
      while (i >= 0 && i < characters.length && ignored.test(characters[i]));
      return i >= 0 && i < characters.length && cased.test(characters[i]);
    };
    return characters.flatMap((c, i) => {
      if (c === "\u0130") return ["i", "\u0307"];
      if (c === "\u03a3") return next(i, -1) && !next(i, 1) ? "\u03c2" : "\u03c3";
      return lower.get(c) ?? c;
    });
  }

  function split(characters, parts) {
    const found = [[]];
    for (const c of characters) {
      if (parts(c)) found.push([]);
      else found[found.length - 1].push(c);
    }
    return found.filter((run) => run.length);
  }

  function squeezed(characters, isSpace) {
    const found = [];
    let run = 0;
    for (const c of characters) {
      run = isSpace(c) ? run + 1 : 0;
      if (run < 2) found.push(c);
      else found[found.length - 1] = " ";
    }
    return found;
  }

  function weighed({ weighing, norm, idf }, place, found) {
    const counts = new Map();
    let unknown = 0;
    for (const term of found) {
      const at = place.get(term);
      if (at === undefined) unknown += 1;
      else counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    const weight = (n) => (weighing === "presence" ? 1 : weighing === "log" ? Math.log1p(n) : n);
    const rare = (at) => (idf === null ? 1 : idf[Math.min(at, idf.length - 1)]);
    const terms = Array.from(counts, ([at, n]) => [at, weight(n) * rare(at)]);
    if (norm === null) return terms;
    const square = norm === "l2";
    const more = idf === null ? unknown * (square ? weight(1) ** 2 : weight(1)) : 0;
    const total = sum(terms, ([, v]) => (square ? v * v : v)) + more;
    const length = (square ? Math.sqrt(total) : total) || 1;
    return terms.map(([at, v]) => [at, v / length]);
  }

  function within(runs) {
    const firsts = runs.map((run) => run[0]);
    return (c) => {
      const point = c.codePointAt(0);
      const at = notBelow(firsts, point) - 1;
      return at >= 0 && point <= runs[at][1];
    };
  }

  // values

  function number({ source, missing: marks }) {
    const marked = markers(marks);
    return (row) => {
      const value = cell(row, source);
      if (missing(value) || marked(value) || (typeof value === "string" && value.trim() === "")) return null;
      const x = typeof value === "string" ? parsed(value) : Number(value);
      if (x === undefined) {
        throw new Error(`column ${JSON.stringify(source)} is a number, but this row has ${JSON.stringify(value)}`);
      }
      if (Number.isNaN(x) || marked(x)) return null;
      if (!Number.isFinite(x)) throw new Error(`column ${JSON.stringify(source)} is infinite in this row`);
      return x;
    };
  }

  function parsed(text) {
    const bare = text.trim().replace(/\p{Nd}/gu, digit);
    if (/^[+-]?nan$/i.test(bare)) return NaN;
    if (/^[+-]?inf(inity)?$/i.test(bare)) return Infinity;
    const decimal = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i;
    return decimal.test(bare) ? Number(bare.replaceAll("_", "")) : undefined;
  }

  function digit(character) {
    // Unicode has the digits of every script side by side, from 0 on; Python reads them all
    let zero = character.codePointAt(0);
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((character.codePointAt(0) - zero) % 10);
  }

  function cell(row, source) {
    const value = Object.hasOwn(row, source) ? row[source] : null;
    if (value === null || plain.has(typeof value)) return value;
    const held = "holds numbers, text or truth values";
    throw new Error(`column ${JSON.stringify(source)} ${held}, but this row has ${shown(value)}`);
  }

  // what is none of the values that a cell can have: a date, a list, an object, a function
  function shown(value) {
    if (value === null || value === undefined) return String(value);
    if (typeof value !== "object") return `a ${typeof value}`;
    return `an object (${Object.prototype.toString.call(value).slice(8, -1)})`;
  }

  function missing(value) {
    return value === null || value === undefined || value === "" || Number.isNaN(value);
  }

  function key(value) {
    return typeof value === "string" ? `text ${value}` : `number ${Number(value)}`;
  }

  // the slot of a value, however it is spelled: as data/spelling.py reads what is none of the levels
  function slots(levels) {
    const known = new Map(levels.map((level, i) => [level === null ? null : key(level), i + 1]));
    const shown = levels.filter((level) => level !== null);
    const typed = shown.filter((level) => typeof level !== "string");
    const first = typeof shown[0];
    const truthsAsText = shown.every((level) => truth(String(level)) !== undefined);
    const allTruths = typed.every((level) => typeof level === "boolean");
    const someTruths = typed.some((level) => typeof level === "boolean");
    const numerals = shown.some((level) => typeof level === "string" && Number.isFinite(parsed(level)));

    function spellings(value) {
      if (typeof value === "string" && first === "string") {
        return truthsAsText && truth(value) !== undefined ? styles(truth(value)) : [];
      }
      if (typeof value === "string") {
        let read = allTruths ? (truth(value.trim()) ?? truthInDigits(value.trim())) : parsed(value);
        if (read === undefined && someTruths) read = truth(value);
        const beside = typed.length < shown.length; // 7 beside "8": as text, 7 is another
        return read === undefined || (beside && numerals) ? [] : [read];
      }
      if (first !== "string" || typed.length > 0) return [];
      return typeof value === "boolean" ? styles(value) : [String(value), `${value}.0`];
    }

    return (value) => {
      const slot = known.get(key(value));
      if (slot !== undefined) return slot;
      const way = spellings(value).find((one) => known.has(key(one)));
      return way === undefined ? undefined : known.get(key(way));
    };
  }

  function truth(text) {
    return truths.get(text.toLowerCase());
  }

  function truthInDigits(text) {
    return digits.get(text);
  }

  function styles(value) {
    return value ? ["True", "true", "TRUE"] : ["False", "false", "FALSE"];
  }

  function markers(values) {
    const keys = new Set(values.map(key));
    return keys.size ? (value) => keys.has(key(value)) : () => false;
  }

  // arithmetic

  function notBelow(cuts, x) {
    let [low, high] = [0, cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function between(knots, x) {
    const last = knots.length - 1;
    if (x >= knots[last][0]) return knots[last][1];
    if (x <= knots[0][0]) return knots[0][1];
    const j = notBelow(knots.map((knot) => knot[0]), x) - 1;
    const [[x0, y0], [x1, y1]] = [knots[j], knots[j + 1]];
    return ((y1 - y0) / (x1 - x0)) * (x - x0) + y0;
  }

  function range(size) {
    return Array.from({ length: size }, (_, i) => i);
  }

  function sum(items, of) {
    let total = 0;
    for (let i = 0; i < items.length; i++) total += of(items[i], i);
    return total;
  }

  function add(into, logs) {
    for (let k = 0; k < K; k++) into[k] += logs[k];
  }

  function plus(a, b) {
    return a.map((v, k) => v + b[k]);
  }

  function product(x, matrix) {
    return range(x.length).map((j) => sum(x, (v, i) => v * matrix[i][j]));
  }

  function logSum(logs) {
    const top = Math.max(...logs);
    return Number.isFinite(top) ? top + Math.log(sum(logs, (l) => Math.exp(l - top))) : top;
  }

  function normalised(logs) {
    const top = Math.max(...logs);
    const rest = Math.log(sum(logs, (l) => Math.exp(l - top)));
    return logs.map((l) => l - top - rest);
  }

  function argmax(values) {
    return values.reduce((best, v, k) => (v > values[best] ? k : best), 0);
  }

  function listed(names) {
    const shown = names.slice(0, 8).map((name) => JSON.stringify(name));
    return shown.join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");
  }
}

if (typeof module === "object") module.exports = bayesfold;
