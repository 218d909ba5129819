/** Which colours a person wants. */
export type Theme = "auto" | "light" | "dark";

const KEY = "papayu.theme";

/** What was chosen last. */
export function keptTheme(): Theme {
  const kept = storage()?.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** Shows the page in these colours, and keeps the choice. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  if (theme === "auto") storage()?.removeItem(KEY);
  else storage()?.setItem(KEY, theme);
}

/** A browser may keep nothing for a page in another's frame, and says so by throwing. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
