import { createTwoFilesPatch } from "diff";
import { applyPatch } from "../patch/apply-patch.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Change, ChangeSet, FileState } from "./change.ts";
import { createDraft, type Draft } from "./draft.ts";
import { readObject } from "./objects.ts";
import { decodeText } from "./text.ts";
import { type Found, type FoundFile, hasContent, openTree, type Tree } from "./tree.ts";

/** Past this many changed lines a merge is not worth the search. */
const MAX_EDITS = 1500;

/** What taking back a transaction would do now. */
export interface Reversal {
  readonly changeSet: ChangeSet;
  /** Paths that were edited since in a way that cannot be merged; they stay as they are. */
  readonly conflicts: readonly string[];
}

/**
 * Works out the way back of a finished transaction against the files as they are now. A file
 * that still is what the transaction made of it becomes what it was; one edited since is merged
 * when every hunk of the way back fits it word for word, and otherwise left alone.
 */
export function computeReversal(workspace: Workspace, changes: readonly Change[]): Reversal {
  using tree = openTree(workspace.root);
  const draft = createDraft(tree);
  const conflicts: string[] = [];
  const notes: string[] = [];
  // From the last change to the first: what is in a folder goes before the folder.
  for (const change of changes.toReversed()) {
    if (!reverse({ workspace, tree, draft, notes }, change)) conflicts.push(change.path);
  }
  return { changeSet: draft.finish(notes), conflicts: conflicts.toSorted() };
}

interface Scene {
  readonly workspace: Workspace;
  readonly tree: Tree;
  readonly draft: Draft;
  readonly notes: string[];
}

function reverse(scene: Scene, change: Change): boolean {
  const { path } = change;
  if (!resolvePath(scene.workspace, path, "write").ok) return false;
  const { tree, draft } = scene;
  const found = tree.look(path);
  switch (change.kind) {
    case "mkdir":
      if (found.kind === "folder") draft.removeFolder(path, found.mode); // stays if not empty
      return true;
    case "create":
      if (found.kind === "nothing") return true;
      if (found.kind !== "file" || !hasContent(found, change.after)) return false;
      draft.remove(path, found);
      return true;
    case "update":
      return reverseUpdate(scene, change, found);
    case "delete":
      if (found.kind !== "nothing") return hasContent(found, change.before);
      return recreate(scene, path, change.before);
    case "rmdir":
      return found.kind === "folder" || draft.makeFolder(path, change.mode);
    default:
      return change satisfies never;
  }
}

function recreate({ workspace, draft }: Scene, path: string, before: FileState): boolean {
  const bytes = readObject(workspace, before.sha256);
  return bytes !== undefined && draft.create(path, bytes, before.mode);
}

function reverseUpdate(
  scene: Scene,
  change: Extract<Change, { kind: "update" }>,
  found: Found,
): boolean {
  const { path, before, after } = change;
  if (found.kind !== "file") return false;
  if (hasContent(found, before)) return true;
  const bytes = hasContent(found, after)
    ? readObject(scene.workspace, before.sha256)
    : merge(scene, change, found);
  if (!bytes) return false;
  // The mode is taken back only where the transaction changed it and nobody did since.
  const mode = found.state.mode === after.mode ? before.mode : found.state.mode;
  if (!found.bytes.equals(bytes)) scene.draft.update(path, found, bytes, mode);
  return true;
}

function merge(
  { workspace, notes }: Scene,
  { path, before, after }: Extract<Change, { kind: "update" }>,
  found: FoundFile,
): Buffer | undefined {
  const [ours, theirs] = [readText(workspace, after), readText(workspace, before)];
  const current = decodeText(found.bytes);
  if (ours === undefined || theirs === undefined || current === undefined) return undefined;
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(path, path, ours, theirs, "", "", options);
  if (patch === undefined) return undefined;
  const result = applyPatch(current, patch, { path });
  if (!result.ok || result.hunks.some(({ matched }) => matched === "tolerant")) return undefined;
  notes.push(`${path}: merged with later edits`);
  return Buffer.from(result.text);
}

function readText(workspace: Workspace, state: FileState): string | undefined {
  const bytes = readObject(workspace, state.sha256);
  return bytes && decodeText(bytes);
}
