import { existsSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { errorMessage, type Failure, systemErrorCode } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { normalisePath } from "../../core/relative-path.ts";
import type { Workspace } from "../workspace.ts";
import { findTwin, isProtectedPath, type PathPurpose } from "./protected-paths.ts";
import { createFindSecretName, type FindSecretName } from "./second-names.ts";

export { BUILT_IN_PROTECTED, fold, isProtectedPath, protectedGlobs } from "./protected-paths.ts";
export { createFindSecretName, type FindSecretName, findSecondNames } from "./second-names.ts";

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
 * Writing follows none, in no component, and refuses a name that the disk spells otherwise. A file
 * with more names is no obstacle: it is replaced, never written into. "tool" is writing what the
 * project's own tool wrote, whose lock files it may be; nobody's words are behind that.
 *
 * @param findSecretName for reading; one for many paths of one operation saves time
 */
export function resolvePath(
  workspace: Workspace,
  path: string,
  purpose: PathPurpose,
  findSecretName: FindSecretName = createFindSecretName(workspace),
): GuardedPath | PathRefusal {
  const normal = normalisePath(path);
  if (!normal.ok) return { ...normal, reason: normal.message };
  if (isProtectedPath(normal.path, workspace.protectedPaths, purpose)) {
    return refuse("ERR_PROTECTED_PATH", verb(purpose), normal.path, protectedReason(purpose));
  }
  try {
    return purpose === "read"
      ? resolveForReading(workspace, normal.path, findSecretName)
      : resolveForWriting(workspace, normal.path);
  } catch (error) {
    if (systemErrorCode(error) === "ELOOP") {
      const reason = "a link in it leads in a circle";
      return refuse("ERR_INVALID_PATH", verb(purpose), normal.path, reason);
    }
    const reason = errorMessage(error).replaceAll(`${workspace.root}/`, "");
    return refuse("ERR_IO", verb(purpose), normal.path, reason);
  }
}

/**
 * What a listing may do with a path, by its name alone: it follows no links, and asking the disk for
 * each path is slow. "unusable": no path of ours can name it.
 */
export function classifyName(
  { protectedPaths }: Workspace,
  path: string,
): "readable" | "protected" | "unusable" {
  if (isProtectedPath(path, protectedPaths, "read")) return "protected";
  return normalisePath(path).ok ? "readable" : "unusable";
}

function resolveForReading(
  workspace: Workspace,
  path: string,
  findSecretName: FindSecretName,
): GuardedPath | PathRefusal {
  const { root, protectedPaths } = workspace;
  const direct = spellAsOnDisk(root, path);
  const absolute = realPath(direct);
  if (!isInside(root, absolute ?? nearestFolder(direct))) {
    return refuse("ERR_INVALID_PATH", "read", path, "a link leads out of the workspace");
  }
  if (absolute === undefined) {
    return isLink(direct)
      ? refuse("ERR_INVALID_PATH", "read", path, "it is a link that leads to nothing")
      : { ok: true, path, absolute: direct, stat: undefined };
  }
  if (isProtectedPath(relative(root, absolute), protectedPaths, "read")) {
    return refuse("ERR_PROTECTED_PATH", "read", path, protectedReason("read"));
  }
  const stat = statSync(absolute);
  if (!isOrdinary(stat)) {
    return refuse("ERR_INVALID_PATH", "read", path, "it is neither a file nor a folder");
  }
  const secret = findSecretName(stat);
  if (secret !== undefined) return refuse("ERR_PROTECTED_PATH", "read", path, secret);
  return { ok: true, path, absolute, stat };
}

function resolveForWriting(workspace: Workspace, path: string): GuardedPath | PathRefusal {
  const absolute = join(workspace.root, path);
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const shown = segments.slice(0, index + 1).join("/");
    const entry = join(workspace.root, shown);
    const stat = lstatSync(entry, { throwIfNoEntry: false });
    const twin = findTwin(dirname(entry), segment, stat);
    if (twin !== undefined) {
      return refuse("ERR_INVALID_PATH", "write", path, describeTwin(shown, segment, twin));
    }
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
  return undefined;
}

/** The path with the Unicode forms that the disk has, where it tells them apart. */
function spellAsOnDisk(root: string, path: string): string {
  const direct = join(root, path);
  if (path === path.normalize("NFD") || existsSync(direct)) return direct;
  let dir = root;
  for (const segment of path.split("/")) {
    const entry = join(dir, segment);
    if (existsSync(entry)) dir = entry;
    else if (isFolder(dir)) dir = join(dir, findTwin(dir, segment, undefined) ?? segment);
    else return direct;
  }
  return dir;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function describeTwin(shown: string, segment: string, twin: string): string {
  return twin.normalize("NFC") === segment
    ? `"${shown}" is there in another Unicode form; rename it to this one (NFC) first`
    : `"${shown}" is spelled "${twin}" on this disk; use that`;
}

/** The real path of what is there of the way to something missing. */
function nearestFolder(path: string): string {
  const parent = dirname(path);
  return realPath(parent) ?? nearestFolder(parent);
}

function isInside(root: string, absolute: string): boolean {
  return absolute === root || absolute.startsWith(root.endsWith("/") ? root : `${root}/`);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
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

function protectedReason(purpose: PathPurpose): string {
  return purpose !== "write"
    ? "it is protected; leave secrets and version control alone"
    : "it is protected; leave secrets, version control and lock files alone";
}

function verb(purpose: PathPurpose): "read" | "write" {
  return purpose === "read" ? "read" : "write";
}

function refuse(
  code: ErrorCode,
  purpose: "read" | "write",
  path: string,
  reason: string,
): PathRefusal {
  return { ok: false, code, message: `Cannot ${purpose} "${path}": ${reason}`, reason };
}
