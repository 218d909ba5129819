import { AppError } from "../../core/app-error.ts";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { Note } from "../../texts/notes/notes.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { comparePaths } from "../change-set.ts";
import { createDraft, type Draft, rightsOf, withRightsOfRenamed } from "../compute/compute.ts";
import { describeFound } from "../look-again.ts";
import { noteOnMissing, octal } from "../mode-notes.ts";
import { type Images, openImages } from "../stage/stage.ts";
import { type Found, type FoundFile, hasContent, openTree, type Tree } from "../tree.ts";
import { mergeTexts } from "./merge-texts.ts";

/** A path that stays as it is, and why. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
}

/** What undoing a transaction would do now. */
export interface Reversal {
  readonly changeSet: ChangeSet;
  /** What was changed since in a way that cannot be merged, by path. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Computes the reversal of a finished transaction against the files as they are now. A file
 * that still is what the transaction made of it becomes what it was; one edited since is merged
 * when the reversal and the edits do not overlap, and otherwise left alone.
 */
export function computeReversal(
  workspace: Workspace,
  { txId, changes }: { readonly txId: string; readonly changes: readonly Change[] },
): Reversal {
  using images = openImages(workspace, txId);
  using tree = openTree(workspace.root);
  const draft = createDraft(tree);
  const conflicts: Conflict[] = [];
  const notes: Note[] = [];
  // From the last change to the first: what is in a folder goes before the folder.
  for (const change of changes.toReversed()) {
    const reason = reverse({ workspace, images, tree, draft, notes }, change);
    if (reason !== undefined) conflicts.push({ path: change.path, reason });
  }
  const changeSet = asNarrowAsNow(draft.finish(notes), changes);
  return { changeSet, conflicts: conflicts.toSorted(comparePaths) };
}

/** A file that somebody gave another mode by its new name has no more under the old one. */
function asNarrowAsNow(changeSet: ChangeSet, done: readonly Change[]): ChangeSet {
  const made = new Map(
    done.flatMap((each) => ("after" in each ? [[each.path, each.after.mode] as const] : [])),
  );
  return withRightsOfRenamed(changeSet, {
    mayTake: (_, gone) => rightsOf(gone.before).mode !== made.get(gone.path),
    take: ({ after }, gone) => {
      const { mode } = rightsOf(gone.before);
      return { ...rightsOf(after), mode: after.mode & mode };
    },
  });
}

interface Scene {
  readonly workspace: Workspace;
  readonly images: Images;
  readonly tree: Tree;
  readonly draft: Draft;
  readonly notes: Note[];
}

const NO_IMAGE = "its before-image is missing or damaged";

/** Returns why the change cannot be taken back, if so. */
function reverse(scene: Scene, change: Change): string | undefined {
  const { path } = change;
  const guarded = resolvePath(scene.workspace, path, "tool");
  if (!guarded.ok && guarded.code === "ERR_IO") throw new AppError("ERR_IO", guarded.message);
  if (!guarded.ok) return guarded.reason;
  const { tree, draft } = scene;
  const found = tree.look(path);
  switch (change.kind) {
    case "mkdir":
      if (found.kind === "folder") draft.removeFolder(path, found); // stays if not empty
      return undefined;
    case "create":
      if (found.kind === "nothing") return undefined;
      if (found.kind !== "file" || !hasContent(found, change.after)) return describeFound(found);
      draft.remove(path, found);
      return undefined;
    case "update":
      return reverseUpdate(scene, change, found);
    case "delete":
      if (hasContent(found, change.before)) return undefined;
      return found.kind === "nothing" ? recreate(scene, path, change.before) : describeFound(found);
    case "rmdir":
      if (found.kind === "folder") return undefined;
      if (!draft.makeFolder(path, change.mode)) return describeFound(found);
      scene.notes.push(...noteOnMissing(path, change, 0));
      return undefined;
    default:
      return change satisfies never;
  }
}

function recreate({ images, draft, notes }: Scene, path: string, before: FileState) {
  const bytes = images.read(before.sha256);
  if (!bytes) return NO_IMAGE;
  if (!draft.create(path, bytes, rightsOf(before))) return "its folder cannot be made";
  notes.push(...noteOnMissing(path, before, 0)); // nothing gives a file such a bit
  if (before.unlisted !== undefined) {
    notes.push({ kind: "back without list", facts: { path, mode: octal(before.unlisted) } });
  }
  return undefined;
}

function reverseUpdate(
  scene: Scene,
  change: Extract<Change, { kind: "update" }>,
  found: Found,
): string | undefined {
  const { path, before, after } = change;
  if (found.kind !== "file") return describeFound(found);
  const isUnchanged = hasContent(found, after);
  const bytes = oldContent(scene.images, change, found);
  if (!bytes) return isUnchanged ? NO_IMAGE : describeFound(found);
  // The mode is taken back only where the transaction changed it and nobody did since.
  const mode = found.state.mode === after.mode ? before.mode : found.state.mode;
  const isSame = found.bytes.equals(bytes);
  if (isSame && mode === found.state.mode) return undefined;
  if (!isSame && !isUnchanged) scene.notes.push({ kind: "merged", facts: { path } });
  scene.draft.update(path, found, bytes, mode);
  scene.notes.push(...noteOnMissing(path, before, 0));
  return undefined;
}

function oldContent(
  images: Images,
  change: Extract<Change, { kind: "update" }>,
  found: FoundFile,
): Buffer | undefined {
  if (hasContent(found, change.before)) return found.bytes;
  if (hasContent(found, change.after)) return images.read(change.before.sha256);
  return merge(images, change, found);
}

function merge(
  images: Images,
  { before, after }: Extract<Change, { kind: "update" }>,
  found: FoundFile,
): Buffer | undefined {
  const [base, theirs] = [readText(images, after), readText(images, before)];
  const current = decodeUtf8(found.bytes);
  if (base === undefined || theirs === undefined || current === undefined) return undefined;
  const merged = mergeTexts(base, current, theirs);
  return merged === undefined ? undefined : Buffer.from(merged);
}

function readText(images: Images, state: FileState): string | undefined {
  const bytes = images.read(state.sha256);
  return bytes && decodeUtf8(bytes);
}
