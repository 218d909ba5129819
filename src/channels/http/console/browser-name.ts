/** What browsers call themselves, the more special first: each also names those it descends from. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bFirefox\//u, "Firefox"],
  [/\bEdg\//u, "Edge"],
  [/\bOPR\//u, "Opera"],
  [/\bVivaldi\//u, "Vivaldi"],
  [/Chrom(?:e|ium)\//u, "Chrome"],
  [/\bSafari\//u, "Safari"],
];

/** A browser's name for people; from our list, since anybody can send any. */
export function toBrowserName(userAgent: string | null): string {
  return NAMES.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "?";
}
