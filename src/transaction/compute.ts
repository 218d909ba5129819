import { AppError, errorMessage } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { applyEdits } from "../patch/apply-edits.ts";
import { applyPatch } from "../patch/apply-patch.ts";
import type { AppliedHunk, PatchResult } from "../patch/patch-result.ts";
import { replaceRange } from "../patch/replace-range.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Action } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ChangeSet } from "./change.ts";
import { createDraft, type Draft } from "./draft.ts";
import { decodeText, toLineEnds, withLineEndsOf } from "./text.ts";
import { type Found, type FoundFile, openTree, type Tree } from "./tree.ts";

const NEW_FILE_MODE = 0o644;

/** The change set, or every fault of every action. */
export type Computed =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What of the protocol and the configuration decides what actions mean. */
export interface ComputeRules {
  /** Under v1 an existing file is written whole; above, it is patched or edited. */
  readonly version: ProtocolVersion;
  /** Line ends of new content: as written, or always LF. */
  readonly normalizeEol: "keep" | "lf";
  /** sha256 by path of the files that the plan showed. */
  readonly seen: Readonly<Record<string, string>>;
  /** Those that it showed whole, and that may therefore be written whole. */
  readonly whole: readonly string[];
}

/**
 * Works out in memory what actions would do to the files as they are now. Nothing is written.
 * All actions are judged, so that one repair can mend every fault.
 */
export function computeChangeSet(
  workspace: Workspace,
  actions: readonly Action[],
  rules: ComputeRules = PATCHES,
): Computed {
  using tree = openTree(workspace.root);
  const draft = createDraft(tree);
  const notes: string[] = [];
  const taken = new Map<string, Action["kind"]>();
  const problems: Problem[] = [];
  for (const { action, actionIndex } of inOrder(actions)) {
    const found = addAction({ workspace, rules, tree, draft, notes, taken }, action);
    if (found) problems.push({ ...found, actionIndex, path: action.path });
  }
  if (problems.length === 0) return { ok: true, changeSet: draft.finish(notes) };
  return { ok: false, problems: problems.toSorted((a, b) => a.actionIndex - b.actionIndex) };
}

const PATCHES: ComputeRules = { version: 2, normalizeEol: "keep", seen: {}, whole: [] };

const RANK: Readonly<Record<Action["kind"], number>> = {
  CREATE_DIR: 0,
  CREATE_FILE: 1,
  UPDATE_FILE: 1,
  PATCH_FILE: 2,
  REPLACE_RANGE: 2,
  EDIT_FILE: 2,
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
  readonly rules: ComputeRules;
  readonly tree: Tree;
  readonly draft: Draft;
  readonly notes: string[];
  /** What another action already does, by path. */
  readonly taken: Map<string, Action["kind"]>;
}

type PatchAction = Extract<Action, { kind: "PATCH_FILE" | "REPLACE_RANGE" | "EDIT_FILE" }>;

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
    case "EDIT_FILE":
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

const NO_TEXT = "it is not UTF-8 text; leave it out";
const PART = "the plan showed only a part of it; name it in the goal";

type WriteAction = Extract<Action, { kind: "CREATE_FILE" | "UPDATE_FILE" }>;

function writeFile(scene: Scene, action: WriteAction, found: Found): Fault | undefined {
  const { draft, rules } = scene;
  if (found.kind === "folder") return fault("ERR_CREATE_EXISTS", action, "a folder has this name");
  const content = toLineEnds(action.content, rules.normalizeEol);
  if (found.kind !== "file") {
    if (action.kind === "UPDATE_FILE") return nothingToUpdate(scene, action);
    const bytes = Buffer.from(content);
    return draft.create(action.path, bytes, NEW_FILE_MODE) ? undefined : conflict(action);
  }
  if (action.kind === "CREATE_FILE" && found.bytes.equals(Buffer.from(content))) return undefined;
  if (rules.version === 1 && action.kind === "UPDATE_FILE") {
    return replaceFile(scene, { ...action, content }, found);
  }
  const code =
    action.kind === "CREATE_FILE" ? "ERR_CREATE_EXISTS" : "ERR_V2_UPDATE_EXISTING_FORBIDDEN";
  if (rules.version === 1) return fault(code, action, "the file exists; use UPDATE_FILE");
  const hint = `use PATCH_FILE with base_sha256 ${found.state.sha256}`;
  return { ...fault(code, action, "the file exists; patch it instead"), hint };
}

/** What was shown is gone, or was never there. */
function nothingToUpdate({ rules }: Scene, action: WriteAction): Fault {
  if (Object.hasOwn(rules.seen, action.path)) {
    const reason = "have no file, want one; create it or plan again";
    return fault("ERR_BASE_MISMATCH", action, reason);
  }
  const missing = fault(
    "ERR_UPDATE_WITHOUT_BASE",
    action,
    "it does not exist; name an existing file",
  );
  return { ...missing, hint: "use CREATE_FILE" };
}

/** A whole file takes the place only of one that was shown whole, and keeps its line ends. */
function replaceFile(
  { draft, rules }: Scene,
  action: WriteAction,
  found: FoundFile,
): Fault | undefined {
  const { path, content } = action;
  const want = Object.hasOwn(rules.seen, path) ? rules.seen[path] : undefined;
  const old = decodeText(found.bytes);
  if (want === undefined) {
    const isText = old !== undefined;
    return notShown(action, isText ? "the plan did not show it; name it in the goal" : NO_TEXT);
  }
  if (found.state.sha256 !== want) return baseMismatch(action, found.state.sha256, want);
  if (!rules.whole.includes(path)) return notShown(action, PART);
  if (old === undefined) return fault("ERR_NON_UTF8_FILE", action, NO_TEXT);
  const text = rules.normalizeEol === "lf" ? content : withLineEndsOf(old, content);
  if (text !== old) draft.update(path, found, Buffer.from(text), found.state.mode);
  return undefined;
}

function notShown(action: WriteAction, reason: string): Fault {
  return { ...fault("ERR_UPDATE_WITHOUT_BASE", action, reason), hint: "leave it out" };
}

function patchFile(scene: Scene, action: PatchAction, found: Found): Fault | undefined {
  const { path } = action;
  if (found.kind !== "file") {
    const reason = "have no file, want one; create it or plan again";
    return fault(mismatchCode(action), action, reason);
  }
  const source = decodeText(found.bytes);
  if (source === undefined) {
    return fault("ERR_NON_UTF8_FILE", action, NO_TEXT);
  }
  const have = found.state.sha256;
  if (have !== action.base_sha256) return baseMismatch(action, have, action.base_sha256);
  const result = patchText(source, action);
  if (!result.ok) {
    const { code, message, hint } = result;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  const { text, hunks } = result;
  if (text !== source) scene.draft.update(path, found, Buffer.from(text), found.state.mode);
  scene.notes.push(...hunks.flatMap((hunk, index) => hunkNote(action, hunk, index)));
  return undefined;
}

function baseMismatch(action: Action, have: string, want: string): Fault {
  const reason = `have ${have}, want ${want}; plan again from the file as it is`;
  return { ...fault(mismatchCode(action), action, reason), hint: have };
}

function mismatchCode({ kind }: Action): ErrorCode {
  return kind === "EDIT_FILE" ? "ERR_EDIT_BASE_MISMATCH" : "ERR_BASE_MISMATCH";
}

function patchText(source: string, action: PatchAction): PatchResult {
  const { kind, path } = action;
  if (kind === "PATCH_FILE") return applyPatch(source, action.patch, { path });
  if (kind === "EDIT_FILE") return applyEdits(source, action.edits, { path });
  const { start_line: startLine, end_line: endLine, content } = action;
  return replaceRange(source, { startLine, endLine, content });
}

function hunkNote({ kind, path }: Action, hunk: AppliedHunk, index: number): readonly string[] {
  const { matched, line, note } = hunk;
  if (note === undefined && matched === "exact") return [];
  const name = kind === "EDIT_FILE" ? "edit" : "hunk";
  return [`${path}: ${name} ${index + 1}: ${note ?? `${matched}, found at line ${line}`}`];
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
