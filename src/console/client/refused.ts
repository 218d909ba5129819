/** What the server said instead of an answer. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What is told of a failure: the server's own words, or the browser's. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
