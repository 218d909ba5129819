import { AppError, errorMessage } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { applyPatch } from "../patch/apply-patch.ts";
import type { AppliedHunk, PatchResult } from "../patch/patch-result.ts";
import { replaceRange } from "../patch/replace-range.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Action } from "../protocol/schema-v2.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ChangeSet } from "./change.ts";
import { createDraft, type Draft } from "./draft.ts";
import { decodeText } from "./text.ts";
import { type Found, type FoundFile, openTree, type Tree } from "./tree.ts";

const NEW_FILE_MODE = 0o644;

/** The change set, or every fault of every action. */
export type Computed =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Works out in memory what actions would do to the files as they are now. Nothing is written.
 * All actions are judged, so that one repair can mend every fault.
 */
export function computeChangeSet(workspace: Workspace, actions: readonly Action[]): Computed {
  using tree = openTree(workspace.root);
  const draft = createDraft(tree);
  const notes: string[] = [];
  const taken = new Map<string, Action["kind"]>();
  const problems: Problem[] = [];
  for (const { action, actionIndex } of inOrder(actions)) {
    const found = addAction({ workspace, tree, draft, notes, taken }, action);
    if (found) problems.push({ ...found, actionIndex, path: action.path });
  }
  if (problems.length === 0) return { ok: true, changeSet: draft.finish(notes) };
  return { ok: false, problems: problems.toSorted((a, b) => a.actionIndex - b.actionIndex) };
}

const RANK: Readonly<Record<Action["kind"], number>> = {
  CREATE_DIR: 0,
  CREATE_FILE: 1,
  UPDATE_FILE: 1,
  PATCH_FILE: 2,
  REPLACE_RANGE: 2,
  DELETE_FILE: 3,
  DELETE_DIR: 4,
};

interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

interface Scene {
  readonly workspace: Workspace;
  readonly tree: Tree;
  readonly draft: Draft;
  readonly notes: string[];
  /** What another action already does, by path. */
  readonly taken: Map<string, Action["kind"]>;
}

type PatchAction = Extract<Action, { kind: "PATCH_FILE" | "REPLACE_RANGE" }>;

/** By rank, then path; folders to delete from the deepest up. */
function inOrder(actions: readonly Action[]) {
  const indexed = actions.map((action, actionIndex) => ({ action, actionIndex }));
  return indexed.toSorted(({ action: a }, { action: b }) => {
    if (RANK[a.kind] !== RANK[b.kind]) return RANK[a.kind] - RANK[b.kind];
    const byPath = a.path < b.path ? -1 : Number(a.path > b.path);
    return a.kind === "DELETE_DIR" ? -byPath : byPath;
  });
}

function addAction(scene: Scene, action: Action): Fault | undefined {
  const guarded = resolvePath(scene.workspace, action.path, "write");
  if (!guarded.ok) return { code: guarded.code, message: guarded.message };
  const { path } = guarded;
  const other = scene.taken.get(path);
  if (other && !(other === "CREATE_DIR" && action.kind === "CREATE_DIR")) {
    return fault(
      "ERR_ACTION_CONFLICT",
      action,
      `${other} touches it as well; give one action a path`,
    );
  }
  scene.taken.set(path, action.kind);
  try {
    const found = scene.tree.look(path);
    if (found.kind === "other") return fault("ERR_IO", action, `it is ${found.what}`);
    return dispatch(scene, { ...action, path }, found);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    return fault("ERR_IO", action, errorMessage(error));
  }
}

function dispatch(scene: Scene, action: Action, found: Found): Fault | undefined {
  switch (action.kind) {
    case "CREATE_DIR":
      return createFolder(scene, action, found);
    case "CREATE_FILE":
    case "UPDATE_FILE":
      return writeFile(scene, action, found);
    case "PATCH_FILE":
    case "REPLACE_RANGE":
      return patchFile(scene, action, found);
    case "DELETE_FILE":
      return deleteFile(scene, action, found);
    case "DELETE_DIR":
      return deleteFolder(scene, action, found);
    default:
      return action satisfies never;
  }
}

function createFolder({ draft }: Scene, action: Action, found: Found): Fault | undefined {
  if (found.kind === "file") return fault("ERR_CREATE_EXISTS", action, "a file has this name");
  return draft.makeFolder(action.path) ? undefined : conflict(action);
}

function writeFile(
  { draft }: Scene,
  action: Extract<Action, { kind: "CREATE_FILE" | "UPDATE_FILE" }>,
  found: Found,
): Fault | undefined {
  const bytes = Buffer.from(action.content);
  if (found.kind === "folder") return fault("ERR_CREATE_EXISTS", action, "a folder has this name");
  if (found.kind !== "file") {
    return draft.create(action.path, bytes, NEW_FILE_MODE) ? undefined : conflict(action);
  }
  if (action.kind === "CREATE_FILE" && found.bytes.equals(bytes)) return undefined;
  const hint = `use PATCH_FILE with base_sha256 ${found.state.sha256}`;
  const code =
    action.kind === "CREATE_FILE" ? "ERR_CREATE_EXISTS" : "ERR_V2_UPDATE_EXISTING_FORBIDDEN";
  return { ...fault(code, action, "the file exists; patch it instead"), hint };
}

function patchFile(scene: Scene, action: PatchAction, found: Found): Fault | undefined {
  if (found.kind !== "file") {
    const reason = "have no file, want one; create it or plan again";
    return fault("ERR_BASE_MISMATCH", action, reason);
  }
  const have = found.state.sha256;
  if (have !== action.base_sha256) {
    const reason = `have ${have}, want ${action.base_sha256}; plan again from the file as it is`;
    return { ...fault("ERR_BASE_MISMATCH", action, reason), hint: have };
  }
  const source = decodeText(found.bytes);
  if (source === undefined) {
    return fault("ERR_NON_UTF8_FILE", action, "it is not UTF-8 text; leave it out");
  }
  const result = patchText(source, action);
  if (!result.ok) {
    const { code, message, hint } = result;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  addPatched(scene, action.path, found, source, result.text);
  scene.notes.push(...result.hunks.flatMap((hunk, index) => hunkNote(action.path, hunk, index)));
  return undefined;
}

function patchText(source: string, action: PatchAction): PatchResult {
  if (action.kind === "PATCH_FILE") return applyPatch(source, action.patch, { path: action.path });
  const { start_line: startLine, end_line: endLine, content } = action;
  return replaceRange(source, { startLine, endLine, content });
}

function addPatched({ draft }: Scene, path: string, found: FoundFile, old: string, text: string) {
  if (text !== old) draft.update(path, found, Buffer.from(text), found.state.mode);
}

function hunkNote(path: string, hunk: AppliedHunk, index: number): readonly string[] {
  const { matched, line } = hunk;
  if (hunk.note === undefined && matched === "exact") return [];
  return [`${path}: hunk ${index + 1}: ${hunk.note ?? `${matched}, found at line ${line}`}`];
}

function deleteFile({ draft }: Scene, action: Action, found: Found): Fault | undefined {
  if (found.kind !== "file") {
    const reason = found.kind === "folder" ? "it is a folder; use DELETE_DIR" : "it does not exist";
    return fault("ERR_NOT_FOUND", action, reason);
  }
  draft.remove(action.path, found);
  return undefined;
}

function deleteFolder({ draft }: Scene, action: Action, found: Found): Fault | undefined {
  if (found.kind !== "folder") {
    const reason = found.kind === "file" ? "it is a file; use DELETE_FILE" : "it does not exist";
    return fault("ERR_NOT_FOUND", action, reason);
  }
  if (draft.removeFolder(action.path, found.mode)) return undefined;
  return fault("ERR_NOT_EMPTY", action, "the folder is not empty; delete what is in it as well");
}

function conflict(action: Action): Fault {
  return fault("ERR_ACTION_CONFLICT", action, "another action makes a file in its place");
}

function fault(code: ErrorCode, { kind, path }: Action, reason: string): Fault {
  return { code, message: `Cannot ${kind} "${path}": ${reason}` };
}
