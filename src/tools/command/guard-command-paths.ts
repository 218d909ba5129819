import { existsSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { normalisePath } from "../../core/relative-path.ts";
import { isProtectedPath, resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Nothing below them is a person's own file. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(
  "proc sys dev run etc boot var usr bin sbin lib lib32 lib64 libx32 System private".split(" "),
);

/** How far the arguments of a command may reach. */
export interface Reach {
  readonly workspace: Workspace;
  /** Absolute real path in the workspace that relative arguments start from. */
  readonly cwd: string;
  /** The command only looks, and the owner lets such commands look outside of the workspaces. */
  readonly mayLeave: boolean;
  /** Files and folders of the daemon, which nobody reads. */
  readonly hidden: readonly string[];
  /** False where it is not known which arguments are paths: then one must look like it. */
  readonly isExact: boolean;
}

/** Real paths outside of the workspace that a command needs, or why it may not run. */
export type PathsVerdict =
  | { readonly ok: true; readonly outside: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Checks every path among a command's arguments with the guard of all reads. */
export function guardCommandPaths(paths: readonly string[], reach: Reach): PathsVerdict {
  const outside: string[] = [];
  for (const path of paths) {
    const guarded = guardPath(path, reach);
    if (!guarded.ok) return guarded;
    outside.push(...guarded.outside);
  }
  return { ok: true, outside };
}

const FINE: PathsVerdict = { ok: true, outside: [] };

function guardPath(path: string, reach: Reach): PathsVerdict {
  if (path.startsWith("~"))
    return refuse(path, 'nothing expands "~"; give a path of the workspace');
  if (goesBackUp(path)) {
    return refuse(path, '".." after a folder; write the path without it');
  }
  const { workspace, cwd, isExact } = reach;
  const absolute = resolve(cwd, path);
  const inside = relative(workspace.root, absolute);
  if (inside === "") return FINE;
  if (inside === ".." || inside.startsWith("../")) return guardOutside(path, absolute, reach);
  if (!isExact && !normalisePath(inside).ok) return FINE; // no path that a command could mean
  const guarded = resolvePath(workspace, inside, "read");
  return guarded.ok ? FINE : refuse(path, guarded.reason);
}

/** ".." is resolved from where a link leads, not from where the link is. */
function goesBackUp(path: string): boolean {
  const segments = path.split("/");
  const down = segments.findIndex((segment) => !["", ".", ".."].includes(segment));
  return down !== -1 && segments.lastIndexOf("..") > down;
}

function guardOutside(path: string, absolute: string, reach: Reach): PathsVerdict {
  const [, first = ""] = absolute.split("/");
  if (!reach.isExact && isAbsolute(path) && !existsSync(`/${first}`)) return FINE; // as in sed
  if (!reach.mayLeave) return refuse(path, "it leads out of the workspace; name what is in it");
  const real = realPath(absolute);
  for (const each of [absolute, real]) {
    const fault = outsideFault(each, reach);
    if (fault !== undefined) return refuse(path, fault);
  }
  return { ok: true, outside: [real] };
}

function outsideFault(absolute: string, { workspace, hidden }: Reach): string | undefined {
  const [, first = ""] = absolute.split("/");
  if (first === "" || SYSTEM_FOLDERS.has(first)) return "it belongs to the system";
  if (!isReadableOutside(absolute, workspace, hidden)) return "it is protected";
  const stat = statSync(absolute, { throwIfNoEntry: false });
  const isOrdinary = stat === undefined || stat.isFile() || stat.isDirectory();
  return isOrdinary ? undefined : "it is neither a file nor a folder";
}

/** Whether an absolute path outside of the workspace is no secret and none of the daemon's. */
export function isReadableOutside(
  absolute: string,
  { protectedPaths }: Workspace,
  hidden: readonly string[],
): boolean {
  if (isProtectedPath(absolute.slice(1), protectedPaths, "read")) return false;
  return !hidden.some((path) => absolute === path || absolute.startsWith(join(path, "/")));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function refuse(path: string, reason: string): PathsVerdict {
  return { ok: false, reason: `"${path}": ${reason}` };
}
