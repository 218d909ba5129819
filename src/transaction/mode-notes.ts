import type { FileNote, Note, SpecialFlag } from "../texts/notes/notes.ts";
import type { Change, FileRights, FileState } from "./change.ts";

const FLAGS: readonly (readonly [bit: number, flag: SpecialFlag])[] = [
  [0o4000, "u+s"],
  [0o2000, "g+s"],
  [0o1000, "+t"],
];

/** The bits of a mode beyond read, write and execute: reported, but never set on any file. */
export function specialOf(mode: number): Pick<FileState, "special"> {
  const special = mode & 0o7000;
  return special === 0 ? {} : { special };
}

/** The files that a change set takes such bits from, and those that it opens to more. */
export function notesOnModes(changes: readonly Change[]): readonly FileNote[] {
  return changes.flatMap((change) => [
    ...notesOnSpecial(change),
    ...notesOnOpened(change),
    ...notesOnList(change),
  ]);
}

/** The same, and whom files belong to that come or are replaced, where that is not kept. */
export function notesOnRights(changes: readonly Change[]): readonly FileNote[] {
  return [...notesOnModes(changes), ...changes.flatMap(notesOnOwner)];
}

/** Of a file that is made anew, or in the place of another. */
function notesOnOwner(change: Change): readonly FileNote[] {
  const self = process.geteuid?.();
  if (self === undefined || self === 0 || !("after" in change)) return [];
  const { path, after } = change;
  const { uid = self, gid } = change.kind === "create" ? after : change.before;
  const losesGroup = gid !== undefined && !ownGroups().includes(gid);
  if (!losesGroup && uid === self) return [];
  if (!losesGroup) return [{ kind: "other owner", facts: { path, from: uid, to: self } }];
  const facts = { path, from: `${uid}:${gid}`, mode: octal(withoutGroup(after.mode)) };
  return [{ kind: "other group", facts }];
}

function ownGroups(): readonly number[] {
  return [...(process.getgroups?.() ?? []), process.getegid?.() ?? -1];
}

/** A mode whose group may do no more than everybody. */
export function withoutGroup(mode: number): number {
  return mode & (0o707 | ((mode & 0o007) << 3));
}

function notesOnSpecial(change: Change): readonly FileNote[] {
  const special = specialBefore(change);
  if (special === undefined) return [];
  const facts = { path: change.path, flags: flagsOf(special) };
  return [{ kind: change.kind === "update" ? "loses bits" : "had bits", facts }];
}

function specialBefore(change: Change): number | undefined {
  if (change.kind === "rmdir") return change.special;
  return "before" in change ? change.before.special : undefined;
}

/** A diff says of a mode only whether the file can be executed. */
function notesOnOpened(change: Change): readonly FileNote[] {
  if (change.kind !== "update") return [];
  const { path, before, after } = change;
  if ((after.mode & ~before.mode) === 0) return [];
  const facts = { path, before: octal(before.mode), after: octal(after.mode) };
  return [{ kind: "opened", facts }];
}

/** An update keeps it; nothing that papa-yu keeps of a file that goes has it. */
function notesOnList(change: Change): readonly FileNote[] {
  if (change.kind !== "delete" || change.before.unlisted === undefined) return [];
  const facts = { path: change.path, mode: octal(change.before.unlisted) };
  return [{ kind: "had list", facts }];
}

const ON_RIGHTS: readonly string[] = [
  "other owner",
  "other group",
  "loses bits",
  "had bits",
  "opened",
  "had list",
] satisfies FileNote["kind"][];

/** Whether a note is one of those: they are made anew for what becomes of a change set. */
export function isOnModes(note: Note): boolean {
  return typeof note !== "string" && ON_RIGHTS.includes(note.kind);
}

/** Of a file that was restored without them; `now` is its current mode. */
export function noteOnMissing(
  path: string,
  before: Pick<FileState, "special">,
  now: number,
): readonly FileNote[] {
  const flags = flagsOf((before.special ?? 0) & ~now);
  return flags.length === 0 ? [] : [{ kind: "back without bits", facts: { path, flags } }];
}

/** What a file that was restored lacks of what it was. */
export function notesOnBack(
  path: string,
  before: FileState,
  now: Pick<FileState, "mode" | "special" | "unlisted" | "uid" | "gid">,
): readonly FileNote[] {
  const list =
    before.unlisted === undefined || now.unlisted !== undefined
      ? []
      : [{ kind: "back without list", facts: { path, mode: octal(now.mode) } } as const];
  const isOthers = before.uid !== undefined && (before.uid !== now.uid || before.gid !== now.gid);
  const [from, to] = [before, now].map(({ uid, gid }) => `${uid}:${gid}`);
  const owner =
    isOthers && from !== undefined && to !== undefined
      ? [{ kind: "back as other", facts: { path, from, to } } as const]
      : [];
  return [...noteOnMissing(path, before, now.special ?? 0), ...list, ...owner];
}

/**
 * What somebody did to a file meanwhile that goes with the change: it was removed, or given a mode that
 * lets less in than whatever papa-yu made of it.
 */
export function noteOnOverruled(
  { path, before, after }: Extract<Change, { kind: "update" }>,
  now: Pick<FileState, "mode"> | undefined,
): readonly FileNote[] {
  if (!now) return [{ kind: "was gone", facts: { path } }];
  if ((withoutGroup(after.mode) & ~now.mode) === 0) return [];
  const facts = { path, now: octal(now.mode), mode: octal(before.mode) };
  return [{ kind: "was narrowed", facts }];
}

/** Whether a file of this mode has no right more or less than before, as far as they can be given again. */
export function isModeOfBefore(
  now: FileRights & Pick<FileState, "unlisted">,
  before: FileState,
): boolean {
  const isUnlisted = before.unlisted !== undefined && now.unlisted === undefined;
  const modes = [before.mode, ...(isUnlisted ? [before.unlisted ?? before.mode] : [])];
  const isOfOther = before.gid !== undefined && now.gid !== before.gid;
  return modes.some((mode) => now.mode === mode || (isOfOther && now.mode === withoutGroup(mode)));
}

/** A mode as chmod and ls have it. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

function flagsOf(special: number): readonly SpecialFlag[] {
  return FLAGS.filter(([bit]) => (special & bit) !== 0).map(([, flag]) => flag);
}
