import { readdir } from "node:fs/promises";
import { listFiles } from "../../workspace/files.ts";
import type { LeftOut } from "../../workspace/part.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { ProjectProfile } from "../../workspace/profile.ts";
import { readTextFile, type TextFile } from "../../workspace/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Larger text files are generated or data. */
const MAX_TEXT_BYTES = 256 * 1024;

/** A project as the rules see it: read-only, bounded, nothing protected. */
export interface ProjectView {
  readonly root: string;
  readonly profile: ProjectProfile;
  /** Year for a licence; nothing else in a proposal depends on the date. */
  readonly year: number | undefined;
  /** The project's own files, sorted. */
  readonly paths: readonly string[];
  /** Files that the rules do not see. */
  readonly leftOut: readonly LeftOut[];
  /** All names in the root, sorted, ignored and generated ones included. */
  readonly rootNames: readonly string[];
  /** A small text file that may be seen, or undefined. */
  readText(path: string): Promise<TextFile | undefined>;
  /** Whether a file may be created here: nothing in its place, no link on the way. */
  isFree(path: string): boolean;
  /** Whether an existing file may be changed. */
  isWritable(path: string): boolean;
}

/** Opens a workspace for the rules. */
export async function openProject(
  workspace: Workspace,
  profile: ProjectProfile,
  options: { readonly year?: number; readonly signal?: AbortSignal },
): Promise<ProjectView> {
  const { root } = workspace;
  const { year, signal } = options;
  const [{ items: paths, leftOut }, rootNames] = await Promise.all([
    listFiles(root, signal ? { signal } : {}),
    readdir(root),
  ]);
  const folded = new Set(rootNames.map(fold));
  return {
    root,
    profile,
    year,
    paths,
    leftOut,
    rootNames: rootNames.toSorted(),
    async readText(path) {
      signal?.throwIfAborted();
      const guarded = resolvePath(workspace, path, "read");
      if (!guarded.ok || !guarded.stat?.isFile()) return undefined;
      if (guarded.stat.size > MAX_TEXT_BYTES) return undefined;
      const file = await readTextFile(guarded);
      return file.ok ? file : undefined;
    },
    isFree(path) {
      const guarded = resolvePath(workspace, path, "write");
      return guarded.ok && guarded.stat === undefined && !folded.has(fold(path));
    },
    isWritable(path) {
      return resolvePath(workspace, path, "write").ok;
    },
  };
}

/** Some disks take README.md and readme.md for one file. */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
