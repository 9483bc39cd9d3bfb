// Light, dark, or as the screen is.

const stored = localStorage.getItem("theme");
if (stored) document.documentElement.dataset.theme = stored;

export const isDark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function toggle() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
  dispatchEvent(new Event("theme"));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("theme")));
export const colour = (k) => `var(--c${k % 6})`;
