import type { NoteWords, SpecialFlag } from "./notes.ts";

const BITS: Readonly<Record<SpecialFlag, string>> = {
  "u+s": "set-user-id",
  "g+s": "set-group-id",
  "+t": "sticky",
};

const bits = (flags: readonly SpecialFlag[]) =>
  `its ${flags.map((flag) => BITS[flag]).join(" and ")} bit`;
const putsBack = (flags: readonly SpecialFlag[]) =>
  `which papa-yu gives to nothing; chmod ${flags.join(",")} puts it back`;
const keep = (names: number) =>
  `${names === 2 ? "its other name (a hard link) keeps" : "its other names keep"} the old content`;

/** What was tolerated, and what else is to be known of a change set, in English. */
export const NOTES_EN: NoteWords = {
  plain: {
    there: "already there, nothing to do",
    twice: "written twice, applied once",
    blanks: "blanks at line ends or indentation differ",
    signs: "blanks, quotes or Unicode forms differ",
    "blank lines": "blank lines differ",
    context: "a few context lines differ",
    layout: "blanks or quotes differ",
    edges: "blank lines at the edges differ",
    tabs: "tabs and blanks differ",
    markers: "context lacks markers",
    numbers: "lines are numbered",
    elided: "lines are left out",
    escaped: "line ends were escaped twice",
    colours: "it had the colours of a terminal",
    prefixed: "every line had something before it",
    encoded: "signs are encoded",
    "non-breaking": "blanks are non-breaking",
    typographic: "quotes are typographic",
    "anchor layout": "its anchor differs in layout",
    "anchor cut": "its anchor ends inside a word",
    "anchor part": "its anchor is only part of what it replaces",
  },
  placing: {
    moved: ({ lines }) =>
      `found ${Math.abs(lines)} ${Math.abs(lines) === 1 ? "line" : "lines"} ${lines > 0 ? "lower" : "higher"}`,
    misquoted: ({ who, line, quoted, theirs }) =>
      `line ${line}: the ${who} has "${quoted}", the file "${theirs}"`,
    becomes: ({ who, line, quoted, theirs }) =>
      `line ${line}: "${theirs}" becomes "${quoted}", as the ${who} quotes it`,
    "left out": ({ who, line, theirs }) => `line ${line}: the ${who} leaves out "${theirs}"`,
    invented: ({ who, line, quoted }) =>
      `line ${line}: the ${who} has "${quoted}", the file does not`,
    "added again": ({ theirs }) => `"${theirs}" is left out and added again: it is there once`,
    more: ({ lines }) => `and ${lines} more lines`,
  },
  files: {
    placed: ({ path, of, number }, said) => `${path}: ${of} ${number}: ${said}`,
    replaced: ({ path, names }) => `${path}: replaced by a new file; ${keep(names)}`,
    unlinked: ({ path, names }) => `${path}: only this name goes; ${keep(names)}`,
    "loses bits": ({ path, flags }) => `${path}: loses ${bits(flags)}, ${putsBack(flags)}`,
    "had bits": ({ path, flags }) =>
      `${path}: has ${bits(flags)}; what brings it back brings it back without`,
    "back without bits": ({ path, flags }) =>
      `${path}: is back without ${bits(flags)}, ${putsBack(flags)}`,
    opened: ({ path, before, after }) =>
      `${path}: its mode becomes ${after}, which lets more in than ${before} did`,
    "had list": ({ path, mode }) =>
      `${path}: has an access list (ACL); by a new name, or brought back, it has none, and mode ${mode}`,
    "back without list": ({ path, mode }) =>
      `${path}: is back without its access list (ACL), with mode ${mode}`,
    "other owner": ({ path, from, to }) =>
      `${path}: belongs to user ${from}; the new file belongs to ${to}, for papa-yu cannot give files away`,
    "other group": ({ path, from, mode }) =>
      `${path}: belongs to ${from}, a group that papa-yu is not in; the new file is of its own, with mode ${mode}`,
    "back as other": ({ path, from, to }) =>
      `${path}: is back and belongs to ${to}, for papa-yu cannot give it to ${from}, whose it was`,
    "was gone": ({ path }) => `${path}: was removed meanwhile, and is back`,
    "folder anew": ({ path, mode }) =>
      `${path}: the folder was gone, and is made anew for its owner alone, with mode ${mode}`,
    "was narrowed": ({ path, now, mode }) =>
      `${path}: had mode ${now} meanwhile, and has ${mode} again`,
    "written late": ({ path, at }) =>
      `${path}: was written to by a program that had it open while it was changed; that is kept in ${at}`,
    "left out of checkout": ({ path }) =>
      `${path}: the sparse checkout leaves out what git keeps under this name; the new file would take its place there`,
    merged: ({ path }) => `${path}: merged with later edits`,
    passing: ({ path }) => `${path}: changed by one part and put back by another`,
    "shown in part": ({ path }) =>
      `${path}: shown in part only, context.max_total_chars has no room for it`,
    reached: ({ hosts }) =>
      `what makes its lock files could reach ${hosts.join(", ")}, as a person allowed`,
  },
  joins: { said: ", " },
};
