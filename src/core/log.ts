/** A value that fits in one log line. */
export type LogValue = string | number | boolean | null | undefined;

/**
 * Where events go: one name (see `docs/protocol.md`, "Log events") and a few fields. Secrets are
 * masked by the implementation, never by the caller. It never throws: a change must not fail
 * because it cannot be logged.
 */
export type Log = (event: string, fields?: Readonly<Record<string, LogValue>>) => void;

/** A log that keeps nothing, for library use and tests. */
export const silentLog: Log = () => {};
