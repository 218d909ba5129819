import type { FileNote, Note, SpecialFlag } from "../texts/notes/notes.ts";
import type { Change, FileState } from "./change.ts";

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

const ON_MODES: readonly string[] = [
  "loses bits",
  "had bits",
  "opened",
  "had list",
] satisfies FileNote["kind"][];

/** Whether a note is one of those: they are made anew for what becomes of a change set. */
export function isOnModes(note: Note): boolean {
  return typeof note !== "string" && ON_MODES.includes(note.kind);
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

/** A mode as chmod and ls have it. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

function flagsOf(special: number): readonly SpecialFlag[] {
  return FLAGS.filter(([bit]) => (special & bit) !== 0).map(([, flag]) => flag);
}
