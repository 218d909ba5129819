import { isFields } from "../../src/core/guards.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import {
  type FileNote,
  type HunkNote,
  isNote,
  type Note,
  type NoteWords,
  wordNotes,
} from "../../src/texts/notes/notes.ts";

type Fact = Exclude<HunkNote, string>;
type ByKind<N extends { readonly kind: string; readonly facts: unknown }> = {
  readonly [K in N["kind"]]: Extract<N, { readonly kind: K; readonly facts: unknown }>["facts"];
};

const [path, theirs, quoted] = ["src/sum.ts", "total += 1", "total += 2"];
const line = { who: "patch", line: 7 } as const;

const PLACING: ByKind<Fact> = {
  moved: { lines: -38 },
  misquoted: { ...line, quoted, theirs },
  becomes: { ...line, quoted, theirs },
  "left out": { ...line, theirs },
  invented: { ...line, quoted },
  "added again": { theirs },
  more: { lines: 12 },
};

const FILES: Omit<ByKind<FileNote>, "placed"> = {
  replaced: { path, names: 2 },
  unlinked: { path, names: 3 },
  "loses bits": { path, flags: ["u+s", "+t"] },
  "had bits": { path, flags: ["g+s"] },
  "back without bits": { path, flags: ["u+s"] },
  opened: { path, before: "600", after: "644" },
  "had list": { path, mode: "600" },
  "back without list": { path, mode: "640" },
  "other owner": { path, from: 2000, to: 2001 },
  "other group": { path, from: "2000:3000", mode: "600" },
  "back as other": { path, from: "2000:3000", to: "2001:2001" },
  "was gone": { path },
  "folder anew": { path, mode: "700" },
  "was narrowed": { path, now: "600", mode: "644" },
  "written late": { path, at: path },
  "left out of checkout": { path },
  merged: { path },
  passing: { path },
  "shown in part": { path },
  reached: { hosts: ["registry.example.org"] },
};

/** One of every kind of note on a change set, and for every kind of note on a hunk one with that. */
export const EVERY_NOTE: readonly Note[] = [
  ...toFacts(FILES),
  ...Object.keys(NOTES_EN.plain).map((said) => placed("hunk", said)),
  ...toFacts(PLACING).map((said) => placed("hunk", said)),
  placed("edit", { kind: "moved", facts: { lines: 1 } }),
  placed("edit", { kind: "misquoted", facts: { who: "edit", line: 7, quoted, theirs } }),
].filter(isNote);

/** Whether this is the table of notes in one language. */
export function isNoteWords(where: string, node: unknown): node is NoteWords {
  return where === ".notes" && isFields(node);
}

/** Every note in the words of a table, with its kind. */
export function everyNoteIn(words: NoteWords): readonly (readonly [string, string])[] {
  return EVERY_NOTE.map((note) => [`.notes.${kindOf(note)}`, wordNotes([note], words).join()]);
}

function kindOf(note: Note): string {
  if (typeof note === "string") return note;
  if (note.kind !== "placed") return note.kind;
  const [said = "nothing"] = note.facts.said;
  return typeof said === "string" ? said : said.kind;
}

function placed(of: "hunk" | "edit", said: unknown) {
  return { kind: "placed", facts: { path, of, number: 2, said: [said] } };
}

function toFacts(table: object): readonly unknown[] {
  return Object.entries(table).map(([kind, facts]) => ({ kind, facts }));
}
