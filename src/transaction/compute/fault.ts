import type { ErrorCode } from "../../core/error-codes.ts";
import type { Action } from "../../protocol/response.ts";

/** Why one action cannot be carried out. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  /** What would be right, for the repair turn. */
  readonly hint?: string;
}

/** A fault of an action, in the words of its kind and path. */
export function fault(code: ErrorCode, { kind, path }: Action, reason: string): Fault {
  return { code, message: `Cannot ${kind} "${path}": ${reason}` };
}

/** Two actions that cannot both be carried out. */
export function conflict(action: Action): Fault {
  return fault("ERR_ACTION_CONFLICT", action, "another action makes a file in its place");
}

/** The file that an action changes is gone. */
export function missing(action: Action): Fault {
  const reason = "have no file, want one; create it or plan again";
  return fault(mismatchCode(action), action, reason);
}

/** The file that an action changes is not the one it was made for. */
export function baseMismatch(action: Action, have: string, want: string): Fault {
  const reason = `have ${have}, want ${want}; plan again from the file as it is`;
  return { ...fault(mismatchCode(action), action, reason), hint: have };
}

/** The file that an action changes cannot be read as text. */
export function noText(action: Action, code: ErrorCode = "ERR_NON_UTF8_FILE"): Fault {
  return fault(code, action, "it is not UTF-8 text; leave it out");
}

function mismatchCode({ kind }: Action): ErrorCode {
  return kind === "EDIT_FILE" ? "ERR_EDIT_BASE_MISMATCH" : "ERR_BASE_MISMATCH";
}
