import type { ErrorCode } from "./error-codes.ts";

/**
 * An operating failure: something outside papa-yu went wrong and the user can act on it.
 *
 * Messages read `action "quoted value": reason; what to do` and carry no full stop.
 * A defect throws an ordinary Error instead; an expected outcome is a returned union.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? {};
  }
}

/**
 * Any thrown value as an {@link AppError}: what the database refused is ERR_STORE, what the disk
 * refused is ERR_IO, anything else is a defect, ERR_INTERNAL.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const options = { cause: error };
  const code = systemErrorCode(error);
  if (code?.startsWith("SQLITE_")) {
    const message = `Cannot use the database: ${describeDiskError(error)}`;
    return new AppError("ERR_STORE", message, options);
  }
  const advice = diskAdvice(code);
  if (advice === undefined) return new AppError("ERR_INTERNAL", errorMessage(error), options);
  return new AppError("ERR_IO", `Cannot go on: ${errorMessage(error)}; ${advice}`, options);
}

/** The message of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What the disk said and what to do about it. The path is left out: the caller names it better
 * than the system, which may know it by a descriptor only.
 */
export function describeDiskError(error: unknown): string {
  const message = errorMessage(error);
  const isOfSystem = /^E[A-Z0-9]+$/.test(systemErrorCode(error) ?? "");
  const [reason = message] = isOfSystem ? message.split(", ") : [message];
  const advice = diskAdvice(systemErrorCode(error));
  return advice === undefined ? reason : `${reason}; ${advice}`;
}

/** The `code` of a Node system error such as ENOENT, or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * What `work` gives; where it fails as `isExpected` says, what `instead` gives.
 *
 * @throws every other failure of `work`, and those of `instead`
 */
export function orElse<T>(
  work: () => T,
  isExpected: (error: unknown) => boolean,
  instead: (error: unknown) => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return instead(error);
  }
}

/** Tells errors of the system with one of these codes from all others. */
export function hasCode(...codes: readonly string[]): (error: unknown) => boolean {
  return (error) => codes.includes(systemErrorCode(error) ?? "");
}

/** A failure as a returned value: a code of the table and a message for people. */
export interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a person can do about a disk that refuses, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on the disk",
  EDQUOT: "free some space or raise the disk quota",
  EFBIG: 'raise the limit on file sizes ("ulimit -f")',
  EROFS: "make the disk writable",
  EACCES: "check who owns it and its permissions",
  EPERM: "check who owns it, its permissions and whether it is immutable",
  EMFILE: 'raise the limit on open files ("ulimit -n")',
  ENFILE: "close some programs: the system has no open files left",
  EIO: "check the disk",
  SQLITE_IOERR: "check the disk and the space on it",
  SQLITE_FULL: "free some space on the disk",
  SQLITE_READONLY: "check who owns it and its permissions",
  SQLITE_CANTOPEN: "check who owns its folder and the permissions",
  SQLITE_BUSY: "another program holds it; try again",
};

/** What to do about an error code of the disk or of SQLite; undefined when it is none of these. */
export function diskAdvice(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  const [family = ""] = code.match(/^(SQLITE_)?[A-Z]+/) ?? []; // SQLITE_READONLY_DBMOVED and such
  return Object.hasOwn(ADVICE, family) ? ADVICE[family] : undefined;
}
