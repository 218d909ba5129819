import { diffArrays } from "diff";

const MASK = "[secret]";

/**
 * A text with its secrets masked and as many lines as before, so that what is said of line numbers
 * stays true: a secret over several lines is one mask on each.
 */
export function maskLines(text: string, redact: (text: string) => string): string {
  const masked = redact(text);
  if (masked === text) return text;
  const lines = text.split("\n");
  const shown = masked.split("\n");
  if (lines.length === shown.length) return masked;
  const kept: (readonly string[])[] = [];
  let removed = 0;
  for (const { added, removed: isRemoved, value } of diffArrays(lines, shown)) {
    if (isRemoved) removed = value.length;
    else if (added) {
      kept.push(toCount(value, removed));
      removed = 0;
    } else {
      kept.push(toCount([], removed), value);
      removed = 0;
    }
  }
  return [...kept, toCount([], removed)].flat().join("\n");
}

/** The masked lines in place of `count` lines. */
function toCount(shown: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => shown[n] ?? MASK);
}
