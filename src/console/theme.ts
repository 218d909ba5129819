/** Which colours a person wants. */
export type Theme = "auto" | "light" | "dark";

const KEY = "papayu.theme";

/** What was chosen last. */
export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** Shows the page in these colours, and keeps the choice. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  if (theme === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
}
