import { readFileSync, type Stats } from "node:fs";
import { errorMessage } from "../core/app-error.ts";
import { normalisePath } from "../core/relative-path.ts";
import { sha256 } from "../core/sha256.ts";
import type { Action } from "../protocol/response.ts";
import { openExact } from "../system/open-exact.ts";
import { type GuardedPath, resolvePath } from "../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A larger file is no small tree. */
const MOST_BYTES = 256 * 1024;

/** The files that actions name, as they were when the actions were checked. */
export interface KeptTree {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Left out, though without them the actions cannot be checked again. */
  readonly missing: readonly LeftOut[];
  /** Left out and not needed: their name alone decides. */
  readonly protected: readonly LeftOut[];
}

/** A file that is not kept, and why. */
interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** What is known of the moment at which the actions were checked. */
export interface AnswerContext {
  /** sha256 by path of what the plan was shown. */
  readonly shown: ReadonlyMap<string, string>;
  /** Milliseconds since 1970, UTC; NaN when it is not known. */
  readonly endedAt: number;
  /** What the actions were refused with; null: they were not. */
  readonly code: string | null;
  readonly redact: (text: string) => string;
}

/** What is done with one path; `nothing`: none was there, or none is needed. */
type Found =
  | { readonly kind: "nothing" }
  | { readonly kind: "kept"; readonly path: string; readonly bytes: Uint8Array }
  | ({ readonly kind: "missing" | "protected" } & LeftOut);

const NOTHING: Found = { kind: "nothing" };

/**
 * Collects the files of a workspace that actions name. A file is kept only when it is known to
 * be as it was: it has the sha256 that the plan saw, or nobody has touched it since.
 */
export function keepTree(
  workspace: Workspace,
  actions: readonly Action[],
  context: AnswerContext,
): KeptTree {
  const found = actions.map((action) => look(workspace, action, context));
  return {
    files: new Map(found.flatMap((it) => (it.kind === "kept" ? [[it.path, it.bytes]] : []))),
    missing: found.flatMap((it) => (it.kind === "missing" ? [toLeftOut(it)] : [])),
    protected: found.flatMap((it) => (it.kind === "protected" ? [toLeftOut(it)] : [])),
  };
}

function toLeftOut({ path, reason }: LeftOut): LeftOut {
  return { path, reason };
}

function look(workspace: Workspace, action: Action, context: AnswerContext): Found {
  const normal = normalisePath(action.path);
  if (!normal.ok) return NOTHING; // refused for its spelling, no matter what is on the disk
  const { path } = normal;
  const guarded = resolvePath(workspace, path, "write");
  if (!guarded.ok) {
    const isProtected = guarded.code === "ERR_PROTECTED_PATH";
    const reason = isProtected ? "it is protected" : guarded.message;
    return { kind: isProtected ? "protected" : "missing", path, reason };
  }
  if (isMade(action, context)) return NOTHING;
  const reason = faultOf(guarded, action, context);
  if (reason !== undefined) return { kind: "missing", path, reason };
  return guarded.stat?.isFile() ? keepFile(guarded, context) : NOTHING;
}

/** Whether the answer makes the path itself, so that it was not there before. */
function isMade({ kind, path }: Action, { shown, code }: AnswerContext): boolean {
  const makes = kind === "CREATE_FILE" || kind === "CREATE_DIR" || kind === "UPDATE_FILE";
  return makes && code === null && !shown.has(path);
}

function faultOf(
  { path, stat }: GuardedPath,
  action: Action,
  context: AnswerContext,
): string | undefined {
  if (!stat) {
    const wasThere = context.shown.has(path) || action.kind.startsWith("DELETE");
    return wasThere && !foundAnother(context) && context.code !== "ERR_NOT_FOUND"
      ? "it is gone since"
      : undefined;
  }
  if (stat.isDirectory()) {
    return action.kind === "CREATE_DIR" ? undefined : "it is a folder, which is not kept";
  }
  // Reading it here would read what else has this name.
  if (stat.nlink > 1) return "it has a second name (hard link)";
  return stat.size > MOST_BYTES ? `it is over ${MOST_BYTES / 1024} KiB` : undefined;
}

/** Whether the actions were refused because a file was no longer the one that was shown. */
function foundAnother({ code }: AnswerContext): boolean {
  return code === "ERR_BASE_MISMATCH" || code === "ERR_EDIT_BASE_MISMATCH";
}

function keepFile({ path, absolute }: GuardedPath, context: AnswerContext): Found {
  try {
    const { bytes, stat } = readWhole(absolute);
    const isUntouched = Math.floor(stat.ctimeMs) <= context.endedAt;
    const isAsShown = !foundAnother(context) && context.shown.get(path) === sha256(bytes);
    if (!isUntouched && !isAsShown) return { kind: "missing", path, reason: "it changed since" };
    const text = Buffer.from(bytes).toString();
    if (context.redact(text) !== text) {
      return { kind: "missing", path, reason: "it holds what looks like a secret" };
    }
    return { kind: "kept", path, bytes };
  } catch (error) {
    return { kind: "missing", path, reason: errorMessage(error) };
  }
}

function readWhole(absolute: string): { readonly bytes: Uint8Array; readonly stat: Stats } {
  using file = openExact(absolute);
  return { bytes: readFileSync(file.fd), stat: file.stat };
}
