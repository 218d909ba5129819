import type { ErrorCode } from "../../core/error-codes.ts";
import { normalisePath } from "../../core/relative-path.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { Action } from "../../protocol/response.ts";

/** Faults of a file's content: they mean nothing where the file was not shown, or another one. */
const ABOUT_CONTENT: ReadonlySet<ErrorCode> = new Set([
  "ERR_BASE_MISMATCH",
  "ERR_EDIT_BASE_MISMATCH",
  "ERR_V2_UPDATE_EXISTING_FORBIDDEN",
  "ERR_PATCH_APPLY_FAILED",
  "ERR_PATCH_AMBIGUOUS",
  "ERR_EDIT_ANCHOR_NOT_FOUND",
  "ERR_EDIT_BEFORE_NOT_FOUND",
  "ERR_EDIT_AMBIGUOUS",
  "ERR_EDIT_APPLY_FAILED",
  "ERR_RANGE_OUT_OF_BOUNDS",
]);

/**
 * The fault of one action, given what the disk says of it (`found`) and what the plan was shown.
 *
 * An existing file may change only when the plan showed it, and only from what was shown. A base
 * that differs from that is a copying error while the file is as shown, and otherwise means that
 * the file has changed since.
 */
export function checkBase(
  action: Action,
  actionIndex: number,
  found: Problem | undefined,
  seen: Readonly<Record<string, string>>,
): Problem | undefined {
  const { path } = action;
  const shown = shaShown(seen, path);
  if (found !== undefined && !ABOUT_CONTENT.has(found.code)) {
    return shown === undefined && found.code === "ERR_CREATE_EXISTS" ? notByPatch(found) : found;
  }
  if (shown === undefined) {
    const changesFile = found !== undefined || "base_sha256" in action;
    return changesFile ? unseen(path, actionIndex) : undefined;
  }
  const have = "base_sha256" in action ? action.base_sha256 : undefined;
  if (have === undefined || have === shown) return found;
  if (!found || !isBaseMismatch(found)) return changedSince(action, actionIndex, { have, shown });
  return found.hint === shown ? miscopied(path, actionIndex, shown) : found;
}

/** A missing or malformed base_sha256 with the right one as hint, where the file was shown. */
export function withRightBase(problem: Problem, seen: Readonly<Record<string, string>>): Problem {
  const shown = shaShown(seen, problem.path);
  if (problem.code !== "ERR_BASE_SHA256_INVALID" || shown === undefined) return problem;
  return { ...problem, hint: rightBase(shown) };
}

function isBaseMismatch({ code }: Problem): boolean {
  return code === "ERR_BASE_MISMATCH" || code === "ERR_EDIT_BASE_MISMATCH";
}

/** Models write `./src/a.ts` for what was shown as `src/a.ts`. */
function shaShown(seen: Readonly<Record<string, string>>, path: string): string | undefined {
  const normal = normalisePath(path);
  return normal.ok && Object.hasOwn(seen, normal.path) ? seen[normal.path] : undefined;
}

/** As found, the hint is how to patch the file, which the next gate would refuse. */
function notByPatch({ hint, ...found }: Problem): Problem {
  if (hint === undefined) return found;
  const message = `Cannot create "${found.path}": the file exists, and the plan did not show it`;
  return { ...found, message, hint: "choose another path or leave it out" };
}

function unseen(path: string, actionIndex: number): Problem {
  const message = `Cannot change "${path}": the plan did not show this file; name it in the goal`;
  const hint = "leave it out, or create it if it is new";
  return { code: "ERR_UPDATE_WITHOUT_BASE", actionIndex, path, message, hint };
}

function miscopied(path: string, actionIndex: number, shown: string): Problem {
  const message = `Cannot change "${path}": its base_sha256 is not the one that was shown`;
  const hint = rightBase(shown);
  return { code: "ERR_BASE_SHA256_INVALID", actionIndex, path, message, hint };
}

function rightBase(shown: string): string {
  return `use base_sha256 ${shown}`;
}

function changedSince(
  { kind, path }: Action,
  actionIndex: number,
  { have, shown }: { readonly have: string; readonly shown: string },
): Problem {
  const code = kind === "EDIT_FILE" ? "ERR_EDIT_BASE_MISMATCH" : "ERR_BASE_MISMATCH";
  const message = `Cannot change "${path}": have ${have}, want ${shown} as in the plan; plan again from the file as it is`;
  return { code, actionIndex, path, message };
}
