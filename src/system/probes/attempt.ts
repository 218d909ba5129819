/** What an attempt came to; `untried`: nothing is known of it here. */
export interface Attempt {
  readonly outcome: "reached" | "refused" | "untried";
  /** What was reached, or why not. */
  readonly found: string;
}

/** It is in reach. */
export function reached(found: string): Attempt {
  return { outcome: "reached", found };
}

/** It is not, and why. */
export function refused(found: string): Attempt {
  return { outcome: "refused", found };
}

/** It could not be tried, and why. */
export function untried(found: string): Attempt {
  return { outcome: "untried", found };
}

/** The code of an error, or what else it says. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
