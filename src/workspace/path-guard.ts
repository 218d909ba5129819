import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, type Failure, systemErrorCode } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { normalisePath } from "../core/relative-path.ts";
import { isProtectedPath } from "./protected-paths.ts";
import type { Workspace } from "./workspace.ts";

/** A path that may be used, as it was when it was looked at. */
export interface GuardedPath {
  readonly ok: true;
  /** Relative to the workspace, with "/", normalised. */
  readonly path: string;
  readonly absolute: string;
  /** Of a regular file or a folder; undefined when nothing is there. */
  readonly stat: Stats | undefined;
}

/** Why a path may not be used; `reason` is the message without the path. */
export interface PathRefusal extends Failure {
  readonly reason: string;
}

/**
 * Decides whether a path given by a model or a person may be read or written.
 *
 * Reading follows links as long as they end inside the workspace at something unprotected.
 * Writing follows none, in no component, and refuses a file that has a second name elsewhere.
 */
export function resolvePath(
  workspace: Workspace,
  path: string,
  purpose: "read" | "write",
): GuardedPath | PathRefusal {
  const normal = normalisePath(path);
  if (!normal.ok) return { ...normal, reason: normal.message };
  if (isProtectedPath(normal.path, workspace.protectedPaths, purpose)) {
    return refuse("ERR_PROTECTED_PATH", purpose, normal.path, protectedReason(purpose));
  }
  try {
    return purpose === "read"
      ? resolveForReading(workspace, normal.path)
      : resolveForWriting(workspace, normal.path);
  } catch (error) {
    return refuse("ERR_IO", purpose, normal.path, errorMessage(error));
  }
}

function resolveForReading(workspace: Workspace, path: string): GuardedPath | PathRefusal {
  const direct = join(workspace.root, path);
  const absolute = realPath(direct);
  if (absolute === undefined) return { ok: true, path, absolute: direct, stat: undefined };
  const prefix = workspace.root.endsWith("/") ? workspace.root : `${workspace.root}/`;
  if (!absolute.startsWith(prefix)) {
    return refuse("ERR_INVALID_PATH", "read", path, "a link leads out of the workspace");
  }
  const target = absolute.slice(prefix.length);
  if (isProtectedPath(target, workspace.protectedPaths, "read")) {
    return refuse("ERR_PROTECTED_PATH", "read", path, protectedReason("read"));
  }
  const stat = statSync(absolute);
  if (!isOrdinary(stat)) {
    return refuse("ERR_INVALID_PATH", "read", path, "it is neither a file nor a folder");
  }
  return { ok: true, path, absolute, stat };
}

function resolveForWriting(workspace: Workspace, path: string): GuardedPath | PathRefusal {
  const absolute = join(workspace.root, path);
  const segments = path.split("/");
  for (const index of segments.keys()) {
    const shown = segments.slice(0, index + 1).join("/");
    const stat = lstatSync(join(workspace.root, shown), { throwIfNoEntry: false });
    if (stat === undefined) return { ok: true, path, absolute, stat };
    const isLast = index === segments.length - 1;
    const fault = writeFault(shown, stat, isLast);
    if (fault !== undefined) return refuse("ERR_INVALID_PATH", "write", path, fault);
    if (isLast) return { ok: true, path, absolute, stat };
  }
  throw new Error(`no segments in "${path}"`);
}

function writeFault(shown: string, stat: Stats, isLast: boolean): string | undefined {
  if (stat.isSymbolicLink()) return `"${shown}" is a symbolic link; name what it points to`;
  if (!isOrdinary(stat)) return `"${shown}" is neither a file nor a folder`;
  if (!isLast) return stat.isDirectory() ? undefined : `"${shown}" is a file, not a folder`;
  if (stat.isFile() && stat.nlink > 1) return "the file has a second name (hard link)";
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function isOrdinary(stat: Stats): boolean {
  return stat.isFile() || stat.isDirectory();
}

function protectedReason(purpose: "read" | "write"): string {
  return purpose === "read"
    ? "it is protected; leave secrets and version control alone"
    : "it is protected; leave secrets, version control and lock files alone";
}

function refuse(
  code: ErrorCode,
  purpose: "read" | "write",
  path: string,
  reason: string,
): PathRefusal {
  return { ok: false, code, message: `Cannot ${purpose} "${path}": ${reason}`, reason };
}
