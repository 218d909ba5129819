import type { PatchRefusal } from "../patch-result.ts";
import { pathsOf, type Side } from "./names.ts";
import { type FilePart, splitFiles } from "./split-files.ts";

/** What a patch does to one file; `hunks` is a unified diff of that file alone, "" where it has none. */
export type FilePatch = {
  readonly path: string;
  readonly hunks: string;
  /** Its line ends say nothing of the file's: the patch was saved with CRLF throughout. */
  readonly isSavedInCrlf: boolean;
  /** As git writes it: `100755`; absent where the patch says nothing of it. */
  readonly mode?: string;
  /** Paths that its headers mean as well: if there is such a file, nothing says which it is about. */
  readonly rivals?: readonly string[];
} & (
  | { readonly kind: "change" | "create" | "delete" }
  /** `path` is the new name. */
  | { readonly kind: "rename" | "copy"; readonly from: string }
);

/** The files of a patch in its order, or why it cannot be carried out as a whole. */
export type FilePatches =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | PatchRefusal;

/**
 * Reads a patch about any number of files, as git, diff and svn write them and as models do: what is
 * around the files is ignored, and nothing that says it changes a file is.
 *
 * Pure; takes time in proportion to the patch.
 */
export function readFilePatches(patch: string): FilePatches {
  if (patch.trim() === "") {
    return refuse("ERR_PATCH_REQUIRED", "it is empty; give a unified diff");
  }
  const split = splitFiles(patch);
  if (!split.ok) return refuse("ERR_PATCH_NOT_UNIFIED", split.reason);
  const files: FilePatch[] = [];
  for (const part of split.parts) {
    const read = readPart(part);
    if ("ok" in read) return read;
    files.push(read);
  }
  if (files.length > 0) return { ok: true, files };
  const reason =
    'it names no file with changes; give a unified diff with "---", "+++", "@@", " ", "-" and "+" lines';
  return refuse("ERR_PATCH_NOT_UNIFIED", reason);
}

function readPart(part: FilePart): FilePatch | PatchRefusal {
  const { git, body } = part;
  const paths = pathsOf(part);
  if (!paths.ok) return refuse("ERR_PATCH_PATH_MISMATCH", paths.reason);
  const { before, after } = paths;
  const path = after ?? before ?? "";
  const modes = [git.newFileMode, git.newMode, git.deletedMode, git.oldMode];
  const mode = modes.find((each) => each !== undefined);
  const what = git.isBinary ? "binary" : modes.map(describeMode).find((each) => each !== undefined);
  if (what !== undefined) {
    return refuse("ERR_PATCH_NOT_UNIFIED", `"${path}" is ${what}; only text files can be patched`);
  }
  const { isSavedInCrlf } = part;
  const hunks = toDiff(body, before, after);
  const { rivals = [] } = paths;
  const common = {
    path,
    hunks,
    isSavedInCrlf,
    ...(mode !== undefined && { mode }),
    ...(rivals.length > 0 && { rivals }),
  };
  if (before === undefined) return { kind: "create", ...common };
  if (after === undefined) return { kind: "delete", ...common };
  const { isCopy, renameTo } = git;
  if (renameTo !== undefined) return { kind: isCopy ? "copy" : "rename", from: before, ...common };
  if (body === "" && mode === undefined) {
    return refuse("ERR_PATCH_NOT_UNIFIED", `it names "${path}" and has no hunk for it`);
  }
  return { kind: "change", ...common };
}

/** What cannot be written as text. */
function describeMode(mode: string | undefined): string | undefined {
  if (mode?.startsWith("12")) return "a symbolic link";
  if (mode?.startsWith("16")) return "a submodule";
  return undefined;
}

/** The hunks under headers that name the file in one way, whatever theirs were. */
function toDiff(body: string, before: Side, after: Side): string {
  if (body === "") return "";
  const path = after ?? before ?? "";
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  return `--- ${from}\n+++ ${to}\n${body}`;
}

function refuse(code: PatchRefusal["code"], reason: string): PatchRefusal {
  return { ok: false, code, message: `Cannot apply the patch: ${reason}` };
}
