// What was seen, what was set, and what was half seen: state numbers and likelihoods by variable.

export class Evidence {
  constructor(nodes) {
    this.states = new Map(nodes.map((node) => [node.name, node.states]));
    this.clear();
  }

  clear(name) {
    if (name === undefined) {
      this.see = new Map();
      this.set = new Map();
      this.soft = new Map();
      return;
    }
    for (const part of [this.see, this.set, this.soft]) part.delete(name);
  }

  copy() {
    const other = new Evidence([]);
    other.states = this.states;
    other.see = new Map(this.see);
    other.set = new Map(this.set);
    other.soft = new Map(this.soft);
    return other;
  }

  // Observe or set a state; the same again clears it.
  toggle(name, k, mode) {
    const part = mode === "do" ? this.set : this.see;
    const was = part.get(name) === k;
    this.clear(name);
    if (!was) part.set(name, k);
  }

  lean(name, likelihood) {
    this.clear(name);
    this.soft.set(name, likelihood);
  }

  kind(name) {
    return this.set.has(name) ? "set" : this.see.has(name) ? "seen" : this.soft.has(name) ? "soft" : "";
  }

  state(name) {
    return this.set.get(name) ?? this.see.get(name);
  }

  get size() {
    return this.see.size + this.set.size + this.soft.size;
  }

  named(part) {
    return Object.fromEntries([...part].map(([name, k]) => [name, this.states.get(name)[k]]));
  }

  body() {
    return { see: this.named(this.see), do: this.named(this.set), likelihood: Object.fromEntries(this.soft) };
  }

  address() {
    return { see: this.named(this.see), do: this.named(this.set), soft: Object.fromEntries(this.soft) };
  }

  read(saved) {
    this.clear();
    for (const [part, key] of [
      [this.see, "see"],
      [this.set, "do"],
    ]) {
      for (const [name, state] of Object.entries(saved[key] ?? {})) {
        const k = (this.states.get(name) ?? []).findIndex((s) => String(s) === String(state));
        if (k >= 0) part.set(name, k);
      }
    }
    for (const [name, shares] of Object.entries(saved.soft ?? {})) {
      if (Array.isArray(shares) && shares.length === this.states.get(name)?.length)
        this.soft.set(name, shares.map(Number));
    }
  }
}

// The likelihood of one state against all others that moves its belief from `base` to `belief`.
export function leaning(states, k, base, belief) {
  const aim = Math.min(0.99, Math.max(0.01, belief));
  if (!(base > 0 && base < 1)) return null;
  const ratio = (aim * (1 - base)) / ((1 - aim) * base);
  const most = Math.max(ratio, 1);
  return states.map((_, i) => (i === k ? ratio : 1) / most);
}
