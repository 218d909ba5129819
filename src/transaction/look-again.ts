import { describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { NOTES_EN } from "../texts/notes/en.ts";
import type { FileNote } from "../texts/notes/notes.ts";
import { wordNotes } from "../texts/notes/notes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Change, FileState, Kept } from "./change.ts";
import { isModeOfBefore, notesOnBack, octal } from "./mode-notes.ts";
import { imagesPath } from "./stage/stage.ts";
import { type Found, hasContent, type Tree } from "./tree.ts";

/** A path that still is as the transaction left it, because the machine refused. */
export interface Pending extends Kept, Refusal {}

/** Why a path was not restored. */
export interface Refusal {
  readonly reason: string;
  /** Nothing that papa-yu can read holds what was there before: it never goes back by itself. */
  readonly isLost?: true;
}

/** A path where somebody else's content is now; it was left as it is. */
export interface LeftAlone extends Kept {
  readonly reason: string;
  /** It has its content from before: the reason is its mode, which nobody sees in the contents. */
  readonly isMode?: true;
  /** Where what somebody saved in the middle of the change is, if its path holds something else. */
  readonly savedAt?: readonly string[];
}

/** Only {@link lookAgain} has it, so that nobody else can make a {@link LookedAgain}. */
const LOOKED: unique symbol = Symbol("looked again");

/**
 * The state of a transaction's files after a roll-back, found by looking at each one again.
 * All that is said or written about it is derived from this and from nothing else.
 */
export interface LookedAgain {
  readonly [LOOKED]: true;
  /** `incomplete`: a path is pending; `conflict`: none is, but some were left alone. */
  readonly status: "rolled_back" | "conflict" | "incomplete";
  readonly kept: readonly LeftAlone[];
  readonly pending: readonly Pending[];
  /** Files that are back but for what papa-yu cannot give, or against what somebody did, a sentence each. */
  readonly bare: readonly string[];
}

/** What a path holds, as far as one change is concerned. */
export type PathState =
  | { readonly kind: "before" }
  /** What the transaction made, or nothing where a file was: no work of anybody is lost. */
  | { readonly kind: "after" }
  | OtherState;

interface OtherState extends Why {
  readonly kind: "other";
}

/** What somebody did to the files in the middle of a change, by their paths. */
export interface Meanwhile {
  /** Where what they saved is, if something else is at its path. */
  readonly saved?: ReadonlyMap<string, readonly string[]>;
  /** What of it went with the change. */
  readonly overruled?: ReadonlyMap<string, readonly FileNote[]>;
}

/**
 * Looks at every path of the changes. `refused` says why a roll-back failed at a path; `tree` is the
 * reason instead where the workspace itself could not be opened.
 */
export function lookAgain(
  tree: Tree | string,
  changes: readonly Change[],
  refused: ReadonlyMap<string, Refusal>,
  { saved = new Map(), overruled = new Map() }: Meanwhile = {},
): LookedAgain {
  const kept: LeftAlone[] = [];
  const pending: Pending[] = [];
  const bare: string[] = [];
  // What is in a folder comes before the folder.
  for (const change of changes.toReversed()) {
    const found =
      typeof tree === "string"
        ? { pending: tree }
        : check(tree, change, { pending, bare, overruled });
    const savedAt = saved.get(change.path);
    if (found === undefined && savedAt === undefined) continue;
    const path = { path: change.path, beforeSha256: imageHashOf(change) };
    if (found === undefined || "kept" in found) {
      const why = found?.kept ?? { reason: SAVED };
      kept.push({ ...path, ...why, ...(savedAt !== undefined && { savedAt }) });
    } else pending.push({ ...path, ...(refused.get(change.path) ?? { reason: found.pending }) });
  }
  const whole = refused.get(WHOLE);
  if (whole !== undefined && pending.length === 0) {
    const reason = `the disk did not confirm it: ${whole.reason}`;
    pending.push({ path: WHOLE, beforeSha256: null, reason });
  }
  const status = pending.length > 0 ? "incomplete" : kept.length > 0 ? "conflict" : "rolled_back";
  return { [LOOKED]: true, status, kept, pending, bare };
}

/** One with nothing pending: a journal may end with it. */
export type Resolved = LookedAgain & { readonly status: "rolled_back" | "conflict" };

/** Whether nothing is pending. */
export function isResolved(looked: LookedAgain): looked is Resolved {
  return looked.status !== "incomplete";
}

/** The name of the workspace itself among its paths. */
export const WHOLE = ".";

/** What a path holds: the content decides, not the number of its links, its owner or its flags. */
export function pathStateOf(found: Found, change: Change): PathState {
  switch (change.kind) {
    case "mkdir":
      if (found.kind === "nothing") return BEFORE;
      return found.kind === "folder" ? AFTER : other(found);
    case "rmdir":
      if (found.kind === "nothing") return AFTER;
      return found.kind === "folder" ? sameMode(found.mode, change.mode) : other(found);
    case "create":
      if (found.kind === "nothing") return BEFORE;
      return hasContent(found, change.after) ? AFTER : other(found);
    case "update":
      if (found.kind === "nothing") return AFTER;
      return updateStateOf(found, change.before, change.after);
    case "delete":
      if (found.kind === "nothing") return AFTER;
      if (found.kind !== "file" || !hasContent(found, change.before)) return other(found);
      return sameRights(found.state, change.before);
    default:
      return change satisfies never;
  }
}

/** The error codes of a path that leads over a link or a file now: somebody else's doing. */
export function isPathBlocked(error: unknown): boolean {
  return /^(ENOTDIR|ELOOP)$/.test(systemErrorCode(error) ?? "");
}

/** The state of the files in one line, and how to go on where not all of them could go back. */
export function describeLooked(
  { status, kept, pending, bare }: LookedAgain,
  { root }: Pick<Workspace, "root">,
  txId: string,
): string {
  const left = `what changed meanwhile and was left alone: ${listKept(kept, txId)}`;
  switch (status) {
    case "rolled_back":
      return bare.length === 0
        ? "every file is as before"
        : `every file has its content from before; ${bare.join("; ")}`;
    case "conflict":
      return [`all is as before but ${left}`, ...bare].join("; ");
    case "incomplete": {
      const lost = pending.filter(({ isLost }) => isLost).map(({ path }) => `"${path}"`);
      const or =
        lost.length > 0
          ? `; or, to keep ${lost.join(", ")} as it is, ${closeCommand(root, txId)}`
          : "";
      const rest = kept.length > 0 ? `, and but ${left}` : "";
      const list = pending.map(({ path, reason }) => `"${path}" (${reason})`).join(", ");
      return `all is as before but what could not go back: ${list}${rest}; then ${resumeCommand(root)}${or}`;
    }
    default:
      return status satisfies never;
  }
}

/** The command that resumes a roll-back, for a shell: a person copies it in a hurry. */
export function resumeCommand(root: string): string {
  const word = /^[\w./-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`;
  return `run papayu recover -w ${word}`;
}

/** The command that leaves everything as it is where what was before is gone for good. */
export function closeCommand(root: string, txId: string): string {
  return `${resumeCommand(root)} --close ${txId}`;
}

/** Whether all that is pending is lost: then no later recovery gets any further by itself. */
export function isLostForGood({ pending }: LookedAgain): boolean {
  return pending.length > 0 && pending.every(({ isLost }) => isLost);
}

/**
 * The paths that were left alone, each with the hash of its before-image or, where the content is that,
 * with its mode, and where the images are, if any.
 */
export function listKept(
  kept: readonly (Kept & Partial<Pick<LeftAlone, "reason" | "isMode" | "savedAt">>)[],
  txId: string,
): string {
  const files = kept.map(({ path, beforeSha256, reason, isMode, savedAt }) => {
    const image = beforeSha256 === null ? "new" : `before: ${beforeSha256}`;
    const before = isMode && reason !== undefined ? reason : image;
    const saved =
      savedAt === undefined ? "" : `, and what was saved meanwhile is in ${savedAt.join(", ")}`;
    return `"${path}" (${before}${saved})`;
  });
  const hasImages = kept.some(({ beforeSha256, isMode }) => beforeSha256 !== null && !isMode);
  return files.join(", ") + (hasImages ? `; contents by hash are in ${imagesPath(txId)}` : "");
}

const BEFORE: PathState = { kind: "before" };
const AFTER: PathState = { kind: "after" };
const SAVED = "somebody saved it in the middle of the change";
const STILL_THERE = "it still is as the change left it";

type Why = Pick<LeftAlone, "reason" | "isMode">;

interface LookingOn extends Required<Pick<Meanwhile, "overruled">> {
  readonly pending: readonly Pending[];
  readonly bare: string[];
}

function check(
  tree: Tree,
  change: Change,
  { pending, bare, overruled }: LookingOn,
): { readonly kept: Why } | { readonly pending: string } | undefined {
  try {
    const found = tree.look(change.path);
    const state = pathStateOf(found, change);
    if (state.kind === "before") {
      const isBack = "before" in change && found.kind === "file";
      const lacks = isBack ? notesOnBack(change.path, change.before, found.state) : [];
      bare.push(...wordNotes([...lacks, ...(overruled.get(change.path) ?? [])], NOTES_EN));
      return undefined;
    }
    if (state.kind === "other") {
      const { kind: _, ...why } = state;
      return { kept: why };
    }
    if (change.kind !== "mkdir") return { pending: STILL_THERE };
    const ours = new Set(pending.map(({ path }) => path));
    const isOurs = (name: string) => ours.has(`${change.path}/${name}`);
    return tree.list(change.path).every(isOurs)
      ? { pending: STILL_THERE }
      : { kept: { reason: "something else is in it" } };
  } catch (error) {
    if (isPathBlocked(error))
      return { kept: { reason: "a link or a file is in the place of its folder" } };
    return { pending: describeDiskError(error) };
  }
}

function updateStateOf(found: Found, before: FileState, after: FileState): PathState {
  if (found.kind !== "file") return other(found);
  if (hasContent(found, before) && isModeOfBefore(found.state, before)) return BEFORE;
  if (hasContent(found, after)) return AFTER;
  return hasContent(found, before) ? sameRights(found.state, before) : other(found);
}

function sameRights(now: FileState, before: FileState): PathState {
  return isModeOfBefore(now, before) ? BEFORE : sameMode(now.mode, before.mode);
}

function sameMode(now: number, before: number): PathState {
  if (now === before) return BEFORE;
  const reason = `its mode is ${octal(now)}, it was ${octal(before)}`;
  return { kind: "other", reason, isMode: true };
}

function other(found: Found): PathState {
  return { kind: "other", reason: describeFound(found) };
}

/** What is at a path where something else is expected. */
export function describeFound(found: Found): string {
  switch (found.kind) {
    case "nothing":
      return "it is gone";
    case "file":
      return "edited since";
    case "folder":
      return "a folder is in its place";
    case "other":
      return `${found.what} is in its place`;
    default:
      return found satisfies never;
  }
}

function imageHashOf(change: Change): string | null {
  return "before" in change ? change.before.sha256 : null;
}
