import {
  type Guard,
  type Guarded,
  isAny,
  isFields,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from "../../core/guards.ts";

/** What was tolerated of a hunk of a patch or of an edit, where the kind says all. */
const isPlain = isOneOf(
  "there",
  "twice",
  "blanks",
  "signs",
  "blank lines",
  "context",
  "layout",
  "edges",
  "tabs",
  "markers",
  "numbers",
  "elided",
  "escaped",
  "colours",
  "prefixed",
  "encoded",
  "non-breaking",
  "typographic",
  "anchor layout",
  "anchor cut",
  "anchor part",
);

const who = isOneOf("patch", "edit");
const names = { path: isText, names: isNumber };
const flags = { path: isText, flags: isListOf(isOneOf("u+s", "g+s", "+t")) };

/** The facts of what was tolerated, by its kind. Lines are from 1, texts are shortened. */
const PLACING = {
  /** Below zero: higher. */
  moved: isObject({ lines: isNumber }),
  misquoted: isObject({ who, line: isNumber, quoted: isText, theirs: isText }),
  /** A line is quoted as it is to be, and so is changed. */
  becomes: isObject({ who, line: isNumber, quoted: isText, theirs: isText }),
  "left out": isObject({ who, line: isNumber, theirs: isText }),
  invented: isObject({ who, line: isNumber, quoted: isText }),
  "added again": isObject({ theirs: isText }),
  /** So many more lines differ. */
  more: isObject({ lines: isNumber }),
};

const isHunkNote = isAny(isPlain, isNoteOf(PLACING));

/** The facts of what else is to be known of a change set, by its kind. */
const OF_FILES = {
  /** How a hunk or an edit, from 1, was placed. */
  placed: isObject({
    path: isText,
    of: isOneOf("hunk", "edit"),
    number: isNumber,
    said: isListOf(isHunkNote),
  }),
  /** Of a file with so many names one is replaced, or goes. */
  replaced: isObject(names),
  unlinked: isObject(names),
  /** Bits of a mode that papa-yu sets on nothing: an update takes them, a deletion, an undo. */
  "loses bits": isObject(flags),
  "had bits": isObject(flags),
  "back without bits": isObject(flags),
  /** An update lets more do more with it: its mode before and after, as chmod has it. */
  opened: isObject({ path: isText, before: isText, after: isText }),
  /** An access list, which no before-image has; the mode is that of a file without it. */
  "had list": isObject({ path: isText, mode: isText }),
  "back without list": isObject({ path: isText, mode: isText }),
  /** What takes its place belongs to who runs papa-yu, or to another group, which gets fewer rights. */
  "other owner": isObject({ path: isText, from: isNumber, to: isNumber }),
  "other group": isObject({ path: isText, from: isText, mode: isText }),
  /** It is back, and belongs to who runs papa-yu, or to another group: user and group, as chown has them. */
  "back as other": isObject({ path: isText, from: isText, to: isText }),
  /** What somebody did meanwhile and a roll-back took back with the rest: a file was gone, or let less in. */
  "was gone": isObject({ path: isText }),
  /** Its folder had gone with it, and nobody knows whom that let in. */
  "folder anew": isObject({ path: isText, mode: isText }),
  "was narrowed": isObject({ path: isText, now: isText, mode: isText }),
  /** A program that had it open wrote into what its change replaced, after the last look. */
  "written late": isObject({ path: isText, at: isText }),
  /** Git keeps a file of this name, which a sparse checkout leaves out: what is made takes its place. */
  "left out of checkout": isObject({ path: isText }),
  merged: isObject({ path: isText }),
  /** One part of a plan changes it, another puts it back. */
  passing: isObject({ path: isText }),
  /** The author was shown a part of it. */
  "shown in part": isObject({ path: isText }),
  /** A person opened these to what makes lock files. */
  reached: isObject({ hosts: isListOf(isText) }),
};

/** Whether what was stored is a note: one from before there were kinds is a text. */
export const isNote = isAny(isText, isNoteOf(OF_FILES));

type Facts<G> = { readonly [K in keyof G]: Guarded<G[K]> };
type PlacingFacts = Facts<typeof PLACING>;
type FileFacts = Facts<typeof OF_FILES>;

/** A kind with its facts. */
export type NoteOf<F, K extends keyof F = keyof F> = {
  readonly [P in K]: { readonly kind: P; readonly facts: F[P] };
}[K];

/** One way in which a hunk or an edit was not taken as written. */
export type HunkNote = Guarded<typeof isPlain> | NoteOf<PlacingFacts>;

/** What a person should know of a change set, without words. */
export type FileNote = NoteOf<FileFacts>;

/** The same, or a sentence of who words it. */
export type Note = string | FileNote;

/** Bits of a mode beyond read, write and execute, as chmod names them. */
export type SpecialFlag = FileFacts["loses bits"]["flags"][number];

type Say<F> = { readonly [K in keyof F]: (facts: F[K]) => string };

/** The words of all kinds in one language: a kind without any is an error of the compiler. */
export interface NoteWords {
  readonly plain: Readonly<Record<Guarded<typeof isPlain>, string>>;
  readonly placing: Say<PlacingFacts>;
  readonly files: Say<Omit<FileFacts, "placed">> & {
    readonly placed: (facts: Omit<FileFacts["placed"], "said">, said: string) => string;
  };
  readonly joins: {
    /** Between what was tolerated of one hunk. */
    readonly said: string;
  };
}

function isNoteOf<G extends Readonly<Record<string, Guard<unknown>>>>(
  kinds: G,
): Guard<NoteOf<Facts<G>>> {
  return (value): value is NoteOf<Facts<G>> => {
    if (!isFields(value)) return false;
    const { kind, facts } = value;
    return typeof kind === "string" && Object.hasOwn(kinds, kind) && kinds[kind]?.(facts) === true;
  };
}

/** Notes in the words of a language; one that is a sentence stays as it is. */
export function wordNotes(notes: readonly Note[], words: NoteWords): readonly string[] {
  return notes.map((note) => wordNote(note, words));
}

function wordNote(note: Note, words: NoteWords): string {
  if (typeof note === "string") return note;
  if (note.kind === "placed") {
    return words.files.placed(note.facts, wordHunkNotes(note.facts.said, words));
  }
  return say(words.files, note);
}

/** All that was tolerated of one hunk or edit, in one line. */
export function wordHunkNotes(notes: readonly HunkNote[], words: NoteWords): string {
  const said = notes.map((note) =>
    typeof note === "string" ? words.plain[note] : say(words.placing, note),
  );
  return said.join(words.joins.said);
}

function say<F, K extends keyof F>(
  words: { readonly [P in K]: (facts: F[P]) => string },
  { kind, facts }: NoteOf<F, K>,
): string {
  return words[kind](facts);
}
