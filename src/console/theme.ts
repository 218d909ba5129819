/** Which colours a person wants. */
export type Theme = "auto" | "light" | "dark";

const KEY = "papayu.theme";

/** What was chosen last. */
export function keptTheme(): Theme {
  const kept = openKeeper("localStorage").getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** Shows the page in these colours, and keeps the choice. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  if (theme === "auto") openKeeper("localStorage").removeItem(KEY);
  else openKeeper("localStorage").setItem(KEY, theme);
}

const READING = "papayu.reading";

/** Whether changes were last read as a text. */
export function keptReading(): boolean {
  return openKeeper("localStorage").getItem(READING) === "true";
}

/** Keeps that they are, or are not. */
export function keepReading(isReading: boolean): void {
  openKeeper("localStorage").setItem(READING, String(isReading));
}

/** A storage of the browser; one that keeps nothing where a page in another's frame has none. */
export function openKeeper(
  name: "localStorage" | "sessionStorage",
): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    return window[name];
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}
