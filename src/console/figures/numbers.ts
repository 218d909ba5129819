/** A size for people: `3.4 kB`. */
export function toSize(bytes: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const unit = units[power] ?? "byte";
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** How long ago or ahead a moment is, in words: `3 min ago`. */
export function toAgo(at: number, now: number, language: string): string {
  const seconds = Math.round((at - now) / 1000);
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const size = Math.abs(seconds);
  if (size < 60) return words.format(seconds, "second");
  if (size < 3600) return words.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return words.format(Math.round(seconds / 3600), "hour");
  return words.format(Math.round(seconds / 86_400), "day");
}

/** As of when a moment is told, where time was told last at `toldAt`: what has come since is told as now. */
export function toldAs(at: number, toldAt: number, now: number): number {
  return at <= now ? Math.max(at, toldAt) : toldAt;
}
