import { accessSync, closeSync, constants, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { STATE_ADVICE } from "../../texts/state-troubles.ts";

/** Why `state.db` cannot be worked with. */
export type StateTrouble = keyof typeof TROUBLES;

/**
 * Every trouble. Only what is `isRepairable` is wrong with the file itself: the others pass when the
 * machine is put right, and nothing may be moved or created again for them.
 */
const TROUBLES = {
  locked: { code: "ERR_STORE", isRepairable: false },
  full: { code: "ERR_STORE", isRepairable: false },
  read_only: { code: "ERR_STORE", isRepairable: false },
  denied: { code: "ERR_STORE", isRepairable: false },
  descriptors: { code: "ERR_STORE", isRepairable: false },
  newer: { code: "ERR_STORE", isRepairable: false },
  no_log: { code: "ERR_STORE", isRepairable: false },
  disk: { code: "ERR_STORE", isRepairable: false },
  gone: { code: "ERR_STORE_GONE", isRepairable: true },
  empty: { code: "ERR_STORE_GONE", isRepairable: true },
  no_file: { code: "ERR_STORE_DAMAGED", isRepairable: true },
  foreign: { code: "ERR_STORE_DAMAGED", isRepairable: true },
  other_home: { code: "ERR_STORE_DAMAGED", isRepairable: true },
  no_database: { code: "ERR_STORE_DAMAGED", isRepairable: true },
  damaged: { code: "ERR_STORE_DAMAGED", isRepairable: true },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly isRepairable: boolean }>;

/** Whether the file itself is at fault, so that `papayu doctor --repair` has something to do. */
export function isRepairable(trouble: StateTrouble): boolean {
  return TROUBLES[trouble].isRepairable;
}

/** A database that cannot be worked with, and why. */
export class StateError extends AppError {
  readonly trouble: StateTrouble;
  /** What was found, without the advice. */
  readonly reason: string;

  constructor(trouble: StateTrouble, path: string, reason: string, cause?: unknown) {
    const message = `Cannot open the database "${path}": ${reason}; ${STATE_ADVICE[trouble]}`;
    super(TROUBLES[trouble].code, message, { cause, details: { trouble } });
    this.trouble = trouble;
    this.reason = reason;
  }
}

/** What SQLite or the system said of the database at `path`, told apart by what helps. */
export function toStateError(error: unknown, path: string): StateError {
  if (error instanceof StateError) return error;
  return new StateError(troubleOf(error, path), path, errorMessage(error), error);
}

const BY_CODE: Readonly<Record<string, StateTrouble>> = {
  SQLITE_BUSY: "locked",
  SQLITE_LOCKED: "locked",
  SQLITE_FULL: "full",
  SQLITE_READONLY: "read_only",
  SQLITE_PERM: "denied",
  SQLITE_CORRUPT: "damaged",
  SQLITE_NOTADB: "no_database",
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "read_only",
  EACCES: "denied",
  EPERM: "denied",
  EMFILE: "descriptors",
  ENFILE: "descriptors",
  EISDIR: "no_file",
  ENXIO: "no_file",
};

function troubleOf(error: unknown, path: string): StateTrouble {
  const code = systemErrorCode(error) ?? "";
  const family = /^(?:SQLITE_)?[A-Z]+/.exec(code)?.[0] ?? "";
  const trouble = BY_CODE[family] ?? "disk"; // as it is where SQLite can read or open no more
  // SQLite knows only that a file could not be opened or grown; the system knows why.
  return trouble === "disk" || trouble === "read_only" ? (askSystem(path) ?? trouble) : trouble;
}

/** SQLite makes a file of this size next to an open database, and calls its want of room an I/O error. */
const BESIDE_BYTES = 32 * 1024;

/** Undefined when the system sees nothing wrong with the file and its folder. */
function askSystem(path: string): StateTrouble | undefined {
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
    accessSync(dirname(path), constants.W_OK | constants.X_OK); // for the files next to it
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < BESIDE_BYTES ? "full" : undefined;
  } catch (error) {
    return BY_CODE[systemErrorCode(error) ?? ""];
  }
}
