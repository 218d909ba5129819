import { lstatSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { normalisePath } from "../../core/relative-path.ts";
import { listFiles } from "../../workspace/files.ts";
import {
  createFindSecretName,
  type FindSecretName,
  isProtectedPath,
} from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isReadableOutside } from "./guard-command-paths.ts";

/** Well below what a system takes as arguments of one program. */
const MAX_BYTES = 512 * 1024;
/** More would not fit, however short their names. */
const MOST_FILES = MAX_BYTES / 2;

/** What a search through folders may read, and where it starts. */
export interface SearchRequest {
  readonly workspace: Workspace;
  readonly cwd: string;
  /** Files and folders that passed the guard. */
  readonly folders: readonly string[];
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * The files that a program would find in these folders, without the protected ones, which it
 * would read as well; undefined when they are too many for one call.
 */
export async function listSearchFiles(
  request: SearchRequest,
): Promise<readonly string[] | undefined> {
  const { cwd, folders, signal } = request;
  const findSecretName = createFindSecretName(request.workspace);
  const files: string[] = [];
  let sizeBytes = 0;
  for (const folder of new Set(folders)) {
    const absolute = resolve(cwd, folder);
    const stat = statSync(absolute, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) {
      files.push(folder); // a file, or nothing, which the program says itself
      continue;
    }
    const real = realpathSync(absolute);
    const { items, leftOut } = await listFiles(real, { signal, limit: MOST_FILES, isShort: true });
    for (const path of items) {
      const file = join(real, path);
      if (!isReadable(file, request) || isSecondName(file, findSecretName)) continue;
      const shown = join(folder, path);
      files.push(shown);
      sizeBytes += Buffer.byteLength(shown) + 1;
    }
    if (leftOut.length > 0 || sizeBytes > MAX_BYTES) return undefined;
  }
  return files;
}

function isReadable(absolute: string, { workspace, hidden }: SearchRequest): boolean {
  const { root, protectedPaths } = workspace;
  const inside = relative(root, absolute);
  if (inside.startsWith("../")) return isReadableOutside(absolute, workspace, hidden);
  return normalisePath(inside).ok && !isProtectedPath(inside, protectedPaths, "read");
}

/** Under a harmless name the program would read the protected file as well. */
function isSecondName(absolute: string, findSecretName: FindSecretName): boolean {
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  return stat !== undefined && findSecretName(stat) !== undefined;
}
