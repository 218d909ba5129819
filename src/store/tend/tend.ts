import type { Database } from "bun:sqlite";
import { errorMessage, toAppError } from "../../core/app-error.ts";
import { isErrorCode } from "../../core/error-code-prefix.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { ownProgram } from "../../system/own/programs.ts";
import { checkWhole, listCopies, makeCopy } from "../open/open.ts";

/** What a look at the database came to. */
export type Tended =
  | { readonly ok: true; readonly copy?: string }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

const DAY_MS = 24 * 3_600_000;

/** Whether the newest copy is older than a day. One from the future says nothing. */
export function isCopyDue(home: string, now: number): boolean {
  const newest = listCopies(home).find(({ madeAt }) => madeAt <= now);
  return newest === undefined || now - newest.madeAt >= DAY_MS;
}

/** Looks at every page of an open database or, where `copyAt` is given, copies it, which looks first. */
export function tendHere(database: Database, home: string, copyAt: number | undefined): Tended {
  try {
    if (copyAt !== undefined) return { ok: true, copy: makeCopy(database, home, copyAt).path };
    checkWhole(database, database.filename);
    return { ok: true };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { ok: false, code, message };
  }
}

/**
 * The same of the database of a home, in a process of its own: with a million rows this takes
 * seconds, and what is damaged may end who reads it.
 */
export async function tendState(
  home: string,
  { copyAt, signal }: { readonly copyAt: number | undefined; readonly signal: AbortSignal },
): Promise<Tended> {
  const task = JSON.stringify({ home, copyAt });
  try {
    const child = Bun.spawn([...ownProgram("tend-child").argv, task], {
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      signal,
    });
    const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    return parse(text) ?? failed(`the process that looks after it ended with ${exitCode}`);
  } catch (error) {
    return failed(errorMessage(error));
  }
}

function parse(text: string): Tended | undefined {
  try {
    const { ok, copy, code, message } = JSON.parse(text);
    if (ok === true) return { ok, ...(typeof copy === "string" && { copy }) };
    return isErrorCode(code) ? { ok: false, code, message: String(message) } : undefined;
  } catch {
    return undefined;
  }
}

function failed(reason: string): Tended {
  const message = `Cannot copy the database: ${reason}`;
  return { ok: false, code: "ERR_STORE_COPY", message };
}
