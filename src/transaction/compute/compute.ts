import { errorMessage } from "../../core/app-error.ts";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { carryExactly } from "../../patch/carry-exactly.ts";
import { makeEdits } from "../../patch/edits/edits.ts";
import type { PatchPlacing } from "../../patch/patch-result.ts";
import { placePatch } from "../../patch/place-patch.ts";
import { replaceRange } from "../../patch/replace-range.ts";
import type { Problem } from "../../protocol/problem.ts";
import { type Action, isStated } from "../../protocol/response.ts";
import type { Note } from "../../texts/notes/notes.ts";
import {
  createFindSecretName,
  type FindSecretName,
  resolvePath,
} from "../../workspace/path-guard/path-guard.ts";
import { createFindLeftOut } from "../../workspace/tracked.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ChangeSet } from "../change.ts";
import { comparePaths } from "../change-set.ts";
import { openTree } from "../tree.ts";
import { type BaseTree, layOver, type There } from "./base-tree.ts";
import { createDraft, type Draft } from "./draft.ts";
import { baseMismatch, conflict, type Fault, fault, missing, noText } from "./fault.ts";
import { rightsOfNew, withRightsOfRenamed } from "./rights.ts";
import { type ComputeRules, writeFile } from "./write-file.ts";

export { composeAsOne, composeChangeSets } from "./compose.ts";
export { createDraft, type Draft } from "./draft.ts";
export { remainderOf, remainingChanges } from "./remainder.ts";
export { findRenames, type Rename } from "./renames.ts";
export { newPathsIn, rightsOf, withRightsOfRenamed } from "./rights.ts";

/** The change set, or every fault of every action. */
export type Computed =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Works out in memory what actions would do to the files as they are now, or as `on` would leave
 * them. Nothing is written. All actions are checked, so that one repair can fix every fault.
 */
export function computeChangeSet(
  workspace: Workspace,
  actions: readonly Action[],
  rules: ComputeRules = PATCHES,
  on?: ChangeSet,
): Computed {
  using folder = openTree(workspace.root);
  const tree = on ? layOver(folder, on) : folder;
  const draft = createDraft(tree);
  const notes: Note[] = [];
  const taken = new Map<string, Action["kind"]>();
  const settled = new Set<string>();
  const problems: Problem[] = [];
  const findSecretName = createFindSecretName(workspace);
  const isLeftOut = createFindLeftOut(workspace.root);
  const scene = { workspace, rules, tree, draft, notes, taken, settled, findSecretName, isLeftOut };
  for (const { action, actionIndex } of inOrder(actions)) {
    const found = addAction(scene, action);
    if (found) problems.push({ ...found, actionIndex, path: action.path });
  }
  if (problems.length === 0) {
    const modeOf = (path: string) => modeOfFolder(tree.look(path));
    const mayTake = ({ path }: { readonly path: string }) => !settled.has(path);
    return { ok: true, changeSet: withRightsOfRenamed(draft.finish(notes), { mayTake, modeOf }) };
  }
  return { ok: false, problems: problems.toSorted((a, b) => a.actionIndex - b.actionIndex) };
}

function modeOfFolder(found: There): number | undefined {
  return found.kind === "folder" ? found.mode : undefined;
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

interface Scene {
  readonly workspace: Workspace;
  readonly rules: ComputeRules;
  readonly tree: BaseTree;
  readonly draft: Draft;
  readonly notes: Note[];
  /** What another action already does, by path. */
  readonly taken: Map<string, Action["kind"]>;
  /** One for all: it walks the workspace when it is first asked. */
  readonly findSecretName: FindSecretName;
  /** Of a path of git's that a sparse checkout leaves out. */
  readonly isLeftOut: (path: string) => boolean;
  /** Files of which an action says whose rights they have. */
  readonly settled: Set<string>;
}

type PatchAction = Extract<Action, { kind: "PATCH_FILE" | "REPLACE_RANGE" | "EDIT_FILE" }>;

/** By rank, then path; folders to delete from the deepest up. */
function inOrder(actions: readonly Action[]) {
  const indexed = actions.map((action, actionIndex) => ({ action, actionIndex }));
  return indexed.toSorted(({ action: a }, { action: b }) => {
    if (RANK[a.kind] !== RANK[b.kind]) return RANK[a.kind] - RANK[b.kind];
    const byPath = comparePaths(a, b);
    return a.kind === "DELETE_DIR" ? -byPath : byPath;
  });
}

function addAction(scene: Scene, action: Action): Fault | undefined {
  // Nobody made up what a patch has of a lock file: its own tool wrote that, at another place.
  const purpose = isStated(action) ? "tool" : "write";
  const guarded = resolvePath(scene.workspace, action.path, purpose);
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
    if (found.kind === "file" && found.stat.nlink > 1) {
      // Its other name may be a secret's, and the preview and the images would show it.
      const readable = resolvePath(scene.workspace, path, "read", scene.findSecretName);
      if (!readable.ok) return { code: readable.code, message: readable.message };
    }
    return dispatch(scene, { ...action, path }, found);
  } catch (error) {
    return fault("ERR_IO", action, errorMessage(error));
  }
}

function dispatch(scene: Scene, action: Action, found: There): Fault | undefined {
  switch (action.kind) {
    case "CREATE_DIR":
      return createFolder(scene, action, found);
    case "CREATE_FILE":
      if (action.rights_of !== undefined) scene.settled.add(action.path);
      if (found.kind === "nothing" && scene.isLeftOut(action.path)) {
        scene.notes.push({ kind: "left out of checkout", facts: { path: action.path } });
      }
      return writeFile(scene.draft, scene.rules, action, found, () =>
        rightsOfNew(scene.workspace, scene.tree, action),
      );
    case "UPDATE_FILE":
      return writeFile(scene.draft, scene.rules, action, found, () =>
        rightsOfNew(scene.workspace, scene.tree, action),
      );
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

function createFolder({ draft }: Scene, action: Action, found: There): Fault | undefined {
  if (found.kind === "file") return fault("ERR_CREATE_EXISTS", action, "a file has this name");
  return draft.makeFolder(action.path) ? undefined : conflict(action);
}

function patchFile(scene: Scene, action: PatchAction, found: There): Fault | undefined {
  const { path } = action;
  if (found.kind !== "file") return missing(action);
  const source = decodeUtf8(found.bytes);
  if (source === undefined) return noText(action);
  const have = found.state.sha256;
  if (have !== action.base_sha256) return baseMismatch(action, have, action.base_sha256);
  const result = patchText(source, action);
  if (!result.ok) {
    const { code, message, hint } = result;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  const { text, hunks } = result;
  if (text !== source) scene.draft.update(path, found, Buffer.from(text), found.state.mode);
  const of = action.kind === "EDIT_FILE" ? "edit" : "hunk";
  for (const [index, { said }] of hunks.entries()) {
    if (said.length === 0) continue;
    scene.notes.push({ kind: "placed", facts: { path, of, number: index + 1, said } });
  }
  return undefined;
}

function patchText(source: string, action: PatchAction): PatchPlacing {
  const { kind, path } = action;
  if (kind === "PATCH_FILE") {
    const exact = action.as_stated ? carryExactly(source, action.patch) : undefined;
    if (exact !== undefined) return { ok: true, text: exact, hunks: [] };
    return placePatch(source, action.patch, { path });
  }
  if (kind === "EDIT_FILE") return makeEdits(source, action.edits, { path });
  const { start_line: startLine, end_line: endLine, content } = action;
  const replaced = replaceRange(source, { startLine, endLine, content });
  return replaced.ok ? { ...replaced, hunks: [] } : replaced;
}

function deleteFile(
  { draft }: Scene,
  action: Extract<Action, { kind: "DELETE_FILE" }>,
  found: There,
): Fault | undefined {
  if (found.kind !== "file") {
    const reason = found.kind === "folder" ? "it is a folder; use DELETE_DIR" : "it does not exist";
    return fault("ERR_NOT_FOUND", action, reason);
  }
  const { base_sha256: want = found.state.sha256 } = action;
  if (want !== found.state.sha256) return baseMismatch(action, found.state.sha256, want);
  draft.remove(action.path, found);
  return undefined;
}

function deleteFolder({ draft }: Scene, action: Action, found: There): Fault | undefined {
  if (found.kind !== "folder") {
    const reason = found.kind === "file" ? "it is a file; use DELETE_FILE" : "it does not exist";
    return fault("ERR_NOT_FOUND", action, reason);
  }
  if (draft.removeFolder(action.path, found)) return undefined;
  return fault("ERR_NOT_EMPTY", action, "the folder is not empty; delete what is in it as well");
}
