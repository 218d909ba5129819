import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { applyPatch } from "../../patch/apply-patch.ts";
import { carryExactly, losesBytes } from "../../patch/carry-exactly.ts";
import { type FilePatch, readFilePatches } from "../../patch/files/files.ts";
import type { PatchRefusal } from "../../patch/patch-result.ts";
import type { Action } from "../../protocol/response.ts";
import { openTree, type Tree } from "../../transaction/tree.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What a patch comes to on the files as they are now. */
export type PatchActions =
  | {
      readonly ok: true;
      readonly actions: readonly Action[];
      /** sha256 by path of the files it changes. */
      readonly seen: Readonly<Record<string, string>>;
      /** Modes that it names and that are not set. */
      readonly modes: readonly { readonly path: string; readonly mode: string }[];
    }
  | PatchRefusal;

/** No change set may have more; a workspace may allow fewer. */
const MOST_FILES = 200;

/** The actions of a patch about files of a workspace; the first file that it does not fit refuses it. */
export function toPatchActions(workspace: Workspace, patch: string): PatchActions {
  const read = readFilePatches(patch);
  if (!read.ok) return read;
  if (read.files.length > MOST_FILES) {
    const reason = `it is about ${read.files.length} files, and ${MOST_FILES} are the most; split it`;
    return refuse("ERR_TOO_MANY_ACTIONS", reason);
  }
  const twice = findTwice(read.files);
  if (twice !== undefined) return refuse("ERR_ACTION_CONFLICT", twice);
  using tree = openTree(workspace.root);
  const actions: Action[] = [];
  const seen: Record<string, string> = {};
  const modes: { path: string; mode: string }[] = [];
  for (const file of read.files) {
    const made = toActions(workspace, tree, file);
    if (!Array.isArray(made)) return made;
    actions.push(...made);
    for (const action of made) {
      if ("base_sha256" in action) seen[action.path] = action.base_sha256;
    }
    const mode = modeNotSet(tree, file);
    if (mode !== undefined) modes.push({ path: file.path, mode });
  }
  if (actions.length > 0) return { ok: true, actions, seen, modes };
  return refuse("ERR_PATCH_NOT_UNIFIED", "it changes modes of files only; papayu sets none");
}

/** Its parts are made of the files as they are now; one that goes on from another, as in a series, is not. */
function findTwice(files: readonly FilePatch[]): string | undefined {
  const spoken = new Map<string, number>();
  for (const [index, file] of files.entries()) {
    const own = file.kind === "rename" ? [file.from, file.path] : [file.path];
    for (const path of new Set(own)) {
      const first = spoken.get(path);
      if (first !== undefined) {
        return `it speaks of "${path}" twice, in its parts ${first} and ${index + 1}; give one diff of the whole`;
      }
      spoken.set(path, index + 1);
    }
  }
  return undefined;
}

function toActions(workspace: Workspace, tree: Tree, file: FilePatch): Action[] | PatchRefusal {
  const { path, hunks } = file;
  switch (file.kind) {
    case "create":
      return created(file);
    case "delete":
      return deleted(workspace, tree, file);
    case "rename":
    case "copy":
      return moved(workspace, tree, file, file.from);
    case "change": {
      if (hunks === "") return [];
      const found = look(workspace, tree, path);
      const rival = file.rivals?.find((other) => isThere(look(workspace, tree, other)));
      if (rival !== undefined) {
        const reason = `nothing says whether it is about "${path}" or "${rival}"; give both headers the same name`;
        return refuse("ERR_PATCH_PATH_MISMATCH", reason);
      }
      if (!found.ok) {
        const isNew = found.code === "ERR_NOT_FOUND" && isFromNothing(hunks);
        return isNew ? created(file) : found;
      }
      const base = { path: found.path, patch: hunks, base_sha256: found.sha256 };
      const action = { kind: "PATCH_FILE", ...base } as const;
      if (exactly(found.text, file) !== undefined) return [{ ...action, ...AS_STATED }];
      // Where the rules for patches refuse, all files that are at fault are told of together, later.
      const made = applyPatch(found.text, hunks, { path });
      return made.ok && losesBytes(found.text, hunks, made.text) ? otherBytes(path) : [action];
    }
    default:
      return file satisfies never;
  }
}

/** Of what may not be looked at nobody knows. */
function isThere(found: LookedAt | PatchRefusal): boolean {
  return found.ok || found.code !== "ERR_NOT_FOUND";
}

/** Some tools name a new file on both sides, and say by the counts that there was none. */
function isFromNothing(hunks: string): boolean {
  return /^@@ -0,0 \+1/m.test(hunks);
}

function created(file: FilePatch): Action[] | PatchRefusal {
  const { path, hunks } = file;
  const made = carryOut("", file);
  if (!made.ok) return made;
  const [, said] = /^@@ -0,0 \+1(?:,(\d+))? @@/m.exec(hunks) ?? [];
  const lines = made.text.split("\n").length - (made.text.endsWith("\n") ? 1 : 0);
  if (said !== undefined && lines < Number(said)) {
    const reason = `it has ${lines} of the ${said} lines of the new file "${path}"; give it whole`;
    return refuse("ERR_PATCH_APPLY_FAILED", reason);
  }
  return [{ kind: "CREATE_FILE", path, content: made.text, ...made.marks }];
}

/** The text as git would make it, byte for byte, or else as the rules for patches have it. */
function carryOut(text: string, file: FilePatch): CarriedOut | PatchRefusal {
  const { path, hunks } = file;
  const exact = hunks === "" ? text : exactly(text, file);
  if (exact !== undefined) return { ok: true, text: exact, marks: AS_STATED };
  const made = applyPatch(text, hunks, { path });
  if (!made.ok) return made;
  return losesBytes(text, hunks, made.text) ? otherBytes(path) : { ok: true, text: made.text };
}

/** As git would have it; a patch that was saved with other line ends cannot say which are the file's. */
function exactly(text: string, { hunks, isSavedInCrlf }: FilePatch): string | undefined {
  return isSavedInCrlf && text.includes("\r") ? undefined : carryExactly(text, hunks);
}

interface CarriedOut {
  readonly ok: true;
  readonly text: string;
  /** Of an action that has nothing but what the patch says. */
  readonly marks?: typeof AS_STATED;
}

const AS_STATED = { as_stated: true } as const;

/** A file goes only where it holds what the patch says it holds. */
function deleted(workspace: Workspace, tree: Tree, file: FilePatch): Action[] | PatchRefusal {
  const { path } = file;
  const found = look(workspace, tree, path);
  if (!found.ok) return found;
  const left = carryOut(found.text, file);
  if (!left.ok) return left;
  if (left.text.replace(/^\uFEFF/u, "") === "") {
    return [{ kind: "DELETE_FILE", path, base_sha256: found.sha256, ...left.marks }];
  }
  const reason = `it deletes "${path}", which holds more than the patch says; nothing was changed`;
  return refuse("ERR_PATCH_APPLY_FAILED", reason);
}

function moved(
  workspace: Workspace,
  tree: Tree,
  file: FilePatch,
  from: string,
): Action[] | PatchRefusal {
  const found = look(workspace, tree, from);
  if (!found.ok) return found;
  const { kind, path } = file;
  const made = carryOut(found.text, file);
  if (!made.ok) return made;
  const content = { content: made.text, rights_of: found.path, ...made.marks };
  const create: Action = { kind: "CREATE_FILE", path, ...content };
  if (kind === "copy") return [create];
  const base = { base_sha256: found.sha256, ...made.marks };
  return [create, { kind: "DELETE_FILE", path: from, ...base }];
}

/** A text file that the patch changes, as it is now. */
function look(workspace: Workspace, tree: Tree, named: string): LookedAt | PatchRefusal {
  const guarded = resolvePath(workspace, named, "tool"); // what becomes of it is judged behind that
  if (!guarded.ok) return { ok: false, code: guarded.code, message: guarded.message };
  // What may be replaced may still be a second name of what may not be read.
  const readable = resolvePath(workspace, named, "read");
  if (!readable.ok && guarded.stat) {
    return { ok: false, code: readable.code, message: readable.message };
  }
  const { path } = guarded;
  const found = tree.look(path);
  if (found.kind !== "file") {
    const reason = `there is no file "${named}" in the workspace`;
    return refuse("ERR_NOT_FOUND", reason);
  }
  const text = decodeUtf8(found.bytes);
  if (text === undefined) {
    return refuse("ERR_NON_UTF8_FILE", `"${named}" is not UTF-8 text; convert it first`);
  }
  return { ok: true, path, text, sha256: found.state.sha256 };
}

interface LookedAt {
  readonly ok: true;
  /** As the workspace spells it. */
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
}

/** Where lines are searched for they keep their ends: only what fits as it stands can change those. */
function otherBytes(path: string): PatchRefusal {
  const reason = `it changes line ends or the byte order mark of "${path}", and does not fit byte for byte at the lines that it states; make it anew from the file as it is`;
  return refuse("ERR_PATCH_APPLY_FAILED", reason);
}

const PLAIN = "100644";
const EXECUTABLE = "100755";

/** What a new file has nothing of, or an old one is to lose or get, also by another name. */
function modeNotSet(tree: Tree, file: FilePatch): string | undefined {
  const { path, mode } = file;
  if (file.kind === "delete") return undefined;
  if (file.kind === "create") return mode === PLAIN ? undefined : mode;
  const old = file.kind === "rename" || file.kind === "copy" ? file.from : path;
  return mode === undefined || mode === (modeOf(tree, old) ?? PLAIN) ? undefined : mode;
}

/** As git sees it, of a path that was guarded before. */
function modeOf(tree: Tree, path: string): string | undefined {
  const found = tree.look(path);
  if (found.kind !== "file") return undefined;
  return (found.state.mode & ANY_EXECUTE) === 0 ? PLAIN : EXECUTABLE;
}

const ANY_EXECUTE = 0o111;

function refuse(code: PatchRefusal["code"], reason: string): PatchRefusal {
  return { ok: false, code, message: `Cannot apply the patch: ${reason}` };
}
