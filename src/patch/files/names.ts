import { Buffer } from "node:buffer"; // not global in browsers
import { shorten } from "../../core/cut-text.ts";
import type { FilePart } from "./split-files.ts";

/** A path in the folder that is patched; undefined: the file is not there on that side. */
export type Side = string | undefined;

/** The paths of a part of a patch before and after, or why nothing says which file it is about. */
export type Paths =
  | {
      readonly ok: true;
      readonly before: Side;
      readonly after: Side;
      /** Paths that the names above hunks mean instead, if there are such files. */
      readonly rivals?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * The paths that the headers of a part mean: without the folders `a/` and `b/` that git puts before
 * them, or `old/` and `new/` as of two folders that were compared. What git says of a rename wins.
 */
export function pathsOf(part: FilePart): Paths {
  const { git, gitLine } = part;
  const { renameFrom, renameTo } = git;
  const pair = gitLine === undefined ? undefined : splitGitLine(gitLine);
  if (renameFrom !== undefined && renameTo !== undefined) {
    const [before, after] = [unquote(renameFrom), unquote(renameTo)];
    // Below a rename without hunks there may be another file, whose hunks are none of its own.
    const isOwn = isSide(part.oldName, before, pair) && isSide(part.newName, after, pair);
    return isOwn ? { ok: true, before, after } : elsewhere(part);
  }
  const named = pair && commonPath(...pair);
  const [oldSide, newSide] = [toNamed(part.oldName), toNamed(part.newName)];
  const isNew = git.newFileMode !== undefined || oldSide.isNothing;
  const isGone = git.deletedMode !== undefined || newSide.isNothing;
  const path = named ?? pathOfSides(oldSide.name, newSide.name);
  if (path === undefined || (isNew && isGone)) return unnamed(part);
  const sides = [oldSide.name, newSide.name].filter((name) => name !== undefined);
  if (named === undefined || sides.every((name) => isNameOf(name, named, pair))) {
    return { ok: true, before: isNew ? undefined : path, after: isGone ? undefined : path };
  }
  const rivals = isNew || isGone ? undefined : rivalsOf(sides, named);
  return rivals ? { ok: true, before: named, after: named, rivals } : elsewhere(part);
}

/**
 * What two names that end like a path may mean if not this path: all longer ends of theirs. Both are
 * absolute, or have one folder before it, as a project's or those of two that were compared.
 */
function rivalsOf(sides: readonly string[], path: string): readonly string[] | undefined {
  const [first, second] = sides.map(withoutDot);
  if (first === undefined || second === undefined) return undefined;
  const folders = [first, second].map((name) => toFolders(name, path));
  const [one, other] = folders;
  if (one === undefined || other === undefined) return undefined;
  const isAbsolute = [first, second].every((name) => /^(?:\/|[A-Za-z]:[\\/])/.test(name));
  const isNear = folders.every((names = []) => withoutSide(names).length === 1);
  if (!isAbsolute && !isNear) return undefined;
  const rivals = [one, other].flatMap((names) =>
    names.map((_, at) => [...names.slice(at), path].join("/")),
  );
  return rivals.length > MOST_RIVALS ? undefined : [...new Set(rivals)];
}

/** Each is looked for. */
const MOST_RIVALS = 64;

/** The folders before a path in a name that ends with it. */
function toFolders(name: string, path: string): readonly string[] | undefined {
  if (!name.endsWith(`/${path}`)) return undefined;
  const folders = name.slice(0, -path.length - 1).split("/");
  return folders.filter((folder) => folder !== "");
}

function withoutSide(folders: readonly string[]): readonly string[] {
  return folders[0] === "a" || folders[0] === "b" ? folders.slice(1) : folders;
}

/** Whether what is written above hunks names this path, or nothing. */
function isSide(written: string | undefined, path: string, pair: Pair): boolean {
  const { name, isNothing } = toNamed(written);
  return name === undefined ? !isNothing : isNameOf(name, path, pair);
}

/**
 * Whether a name above hunks is a path, in the folder that the line of git has before it: with any
 * other it is another file, which may be there as well.
 */
function isNameOf(written: string, path: string, pair: Pair): boolean {
  const name = withoutDot(written);
  if ([path, `a/${path}`, `b/${path}`].includes(name)) return true;
  if (pair === undefined) return name.slice(name.indexOf("/") + 1) === path;
  return pair.some((own) => withoutDot(own) === name && name.endsWith(`/${path}`));
}

/** Both names of git's line, if they can be told apart. */
type Pair = readonly [string, string] | undefined;

interface Named {
  readonly name?: string;
  /** It says that there is no file on this side. */
  readonly isNothing: boolean;
}

/** What tools and models say of a side behind its name; "x (1)" is a name. */
const REMARK =
  / \((?:revision \d+|working copy|nonexistent|original|modified|changed|updated|old|new|before|after|current|previous|deleted|added)\)$/i;

/** A name without the date behind it; a date of 1970 says that there is no file. */
function toNamed(written: string | undefined): Named {
  if (written === undefined) return { isNothing: false };
  const tab = written.indexOf("\t"); // of a quoted name, behind it
  const isNothing = tab >= 0 && /^(?:1970-01-01|1969-12-31) /.test(written.slice(tab + 1));
  const name = tab < 0 ? written.trim().replace(REMARK, "") : written.slice(0, tab);
  return name === "/dev/null" ? { isNothing: true } : { name: unquote(name), isNothing };
}

function pathOfSides(first: string | undefined, second: string | undefined): string | undefined {
  if (first !== undefined && second !== undefined) return commonPath(first, second);
  const only = first ?? second;
  return only === undefined ? undefined : withoutDot(only.replace(/^[ab]\//, ""));
}

/** The path that two names mean: the same, the same in two folders, or one with something behind. */
function commonPath(first: string, second: string): string | undefined {
  const [one, other] = [withoutDot(first), withoutDot(second)];
  if (one === other) return one;
  const [inOne, inOther] = [one, other].map((name) => name.slice(name.indexOf("/") + 1));
  if (inOne === inOther && one.includes("/") && other.includes("/")) return inOne;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return /^[.~][\w.~-]*$/.test(longer.slice(shorter.length)) && longer.startsWith(shorter)
    ? shorter
    : undefined;
}

function withoutDot(name: string): string {
  return name.replace(/^\.\//, "");
}

/** `a/x b/x`: without quotes the names are equally long, wherever they have blanks. */
function splitGitLine(line: string): Pair {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(line);
  if (quoted?.[1] !== undefined && quoted[2] !== undefined) {
    return [unquote(quoted[1]), unquote(quoted[2])];
  }
  const middle = (line.length - 1) / 2;
  if (line[middle] !== " ") return undefined;
  return [line.slice(0, middle), line.slice(middle + 1)];
}

/** A name as git quotes it: `"a/\303\244.txt"` is `a/ä.txt`. */
function unquote(name: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/.exec(name) ?? [];
  if (inner === undefined) return name;
  const bytes = inner.replace(/\\([0-7]{3}|.)|[^\\]+/g, (whole, escaped: string | undefined) => {
    if (escaped === undefined) return Buffer.from(whole).toString("latin1");
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return ESCAPES[escaped] ?? escaped;
  });
  return Buffer.from(bytes, "latin1").toString();
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function elsewhere({ gitLine = "", oldName = "", newName = "" }: FilePart): Paths {
  const [old, renewed, line] = [oldName, newName, gitLine].map((name) => shorten(name, 200));
  const reason = `"--- ${old}" over "+++ ${renewed}" names another file than "diff --git ${line}"; give it the name that is there`;
  return { ok: false, reason };
}

function unnamed({ gitLine, oldName, newName }: FilePart): Paths {
  const names = [oldName, newName].filter((name) => name !== undefined);
  const shown = gitLine === undefined ? names : [gitLine, ...names];
  const list = shown.map((name) => `"${shorten(name, 200)}"`).join(" and ");
  return { ok: false, reason: `nothing says which one file ${list} is; name it on both sides` };
}
