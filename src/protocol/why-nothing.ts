/** Why nothing has to change, of a summary that says so; undefined: it says something else. */
export function whyNothing(summary: string): string | undefined {
  return /^\s*NO_CHANGES:\s*([^]*)/u.exec(summary)?.[1]?.trimEnd();
}
