import { shorten } from "../../core/cut-text.ts";
import {
  isFileHeader,
  isWrappedHeader,
  readHunk,
  surveyPatch,
  unwrapPatch,
} from "../hunks/hunks.ts";

/** What git says of a file above its hunks. */
export interface GitHeader {
  isBinary: boolean;
  isCopy: boolean;
  renameFrom?: string;
  renameTo?: string;
  oldMode?: string;
  newMode?: string;
  newFileMode?: string;
  deletedMode?: string;
}

/** The part of a patch that is about one file, names as they are written. */
export interface FilePart {
  /** What follows `diff --git`. */
  readonly gitLine?: string;
  readonly oldName?: string;
  readonly newName?: string;
  readonly git: Readonly<GitHeader>;
  /** From the first hunk to the next file; "" where there is none. */
  readonly body: string;
  /** The patch was saved with CRLF throughout, which says nothing of the file's line ends. */
  readonly isSavedInCrlf: boolean;
}

/** The parts in their order, or what in the patch cannot be read. */
export type SplitFiles =
  | { readonly ok: true; readonly parts: readonly FilePart[] }
  | { readonly ok: false; readonly reason: string };

interface OpenPart {
  gitLine?: string;
  oldName?: string;
  newName?: string;
  git: GitHeader;
  body: string;
  isSavedInCrlf: boolean;
  /** The line of its first hunk. */
  start?: number;
  /** The line behind its hunks where the next file is spoken of. */
  end?: number;
}

/** No path is longer. */
const MOST_NAME_CHARS = 4096;

/** Cuts a patch into its files. Hunks are read to know where they end: their lines name no file. */
export function splitFiles(patch: string): SplitFiles {
  const { patch: unwrapped } = unwrapPatch(patch);
  const text = unwrapped.startsWith("\uFEFF") ? unwrapped.slice(1) : unwrapped;
  const raw = text.split("\n");
  const lines = raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const cut = lines.at(-1) !== "";
  if (!cut) lines.pop();
  const source = { lines, cut, hasLine: () => false, ...surveyPatch(lines) };
  const open: { part: OpenPart; from: number }[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const reason = unreadable(lines, at);
    if (reason !== undefined) return { ok: false, reason };
    if (line.startsWith("@@") || isBareHunk(lines, at)) {
      const part = open.at(-1)?.part;
      if (!part) return { ok: false, reason: "its first hunk is below no name of a file" };
      part.start ??= at;
      delete part.end;
      at = readHunk(source, at, 1).next;
      continue;
    }
    const last = open.at(-1)?.part;
    if (last?.start !== undefined && BEGINS_NEXT.test(line)) last.end ??= at;
    if (
      last?.newName !== undefined &&
      last.start === undefined &&
      /^[-+](?!-- |\+\+ )/.test(line)
    ) {
      return { ok: false, reason: `"${shorten(line, 200)}" is above the first hunk of its file` };
    }
    readHeader(open, lines, at);
    at++;
  }
  for (const [i, { part, from }] of open.entries()) {
    const end = part.end ?? open[i + 1]?.from ?? raw.length;
    if (part.start === undefined) continue;
    part.isSavedInCrlf = raw.slice(from, part.start + 1).every((line) => line.endsWith("\r"));
    const body = raw.slice(part.start, end).join("\n") + (end < raw.length ? "\n" : "");
    part.body = part.isSavedInCrlf ? body.replaceAll("\r\n", "\n") : body;
  }
  return { ok: true, parts: open.map(({ part }) => part).filter(isAboutFile) };
}

/** What diff and hg write above the names of a file, and git above a mail. */
const BEGINS_NEXT = /^(?:diff -|From [0-9a-f]{7,64} )/;

/** Forms that say more than a unified diff of two sides can, or that there is more to change. */
function unreadable(lines: readonly string[], at: number): string | undefined {
  const line = lines[at] ?? "";
  if (/^@@@+ |^diff --(?:cc|combined) /.test(line)) {
    return "it is a combined diff of a merge; give the diff to one parent (git diff HEAD^)";
  }
  if (
    line.length > MOST_NAME_CHARS &&
    /^(?:diff --git |--- |\+\+\+ |(?:rename|copy) )/.test(line)
  ) {
    return `a name of a file in it is over ${MOST_NAME_CHARS} characters`;
  }
  if (isWrappedHeader(line)) {
    return `"${shorten(line, 200)}" has a colour, a number or a sign before it that other lines lack, or have in their middle; give it without any`;
  }
  const isEmptySvn = line.startsWith("Index: ") && /^=+$/.test(lines[at + 1] ?? "");
  const hasNoLines = isEmptySvn && !/^(?:---|\+\+\+) /.test(lines[at + 2] ?? "");
  if (hasNoLines || WITHOUT_LINES.some((form) => form.test(line))) {
    return `"${shorten(line, 200)}" names a file without its lines; make the diff with them`;
  }
  return undefined;
}

/** In one pass each; what diff, git, hg and svn write in place of the lines of what they do not compare. */
const WITHOUT_LINES: readonly RegExp[] = [
  /^Only in .+: /,
  /^Files (?=.* differ$).+ and /,
  /^File (?=.+ is an? ).+ while file /,
  /^Binary file .+ has changed/,
  /^Cannot display: file marked as a binary type\.$/,
  /^Submodule .+ (?:[0-9a-f]{7,64}\.{2,3}[0-9a-f]{7,64}|contains (?:modified|untracked) content)/,
  /^\* Unmerged path /,
];

/** Changed lines directly below a `+++` line, without any `@@`. */
function isBareHunk(lines: readonly string[], at: number): boolean {
  return (lines[at - 1]?.startsWith("+++ ") ?? false) && /^[-+ ]/.test(lines[at] ?? "");
}

/** Takes in a line that names a file or says something of it; it may begin the next file's part. */
function readHeader(
  open: { part: OpenPart; from: number }[],
  lines: readonly string[],
  at: number,
): void {
  const line = lines[at] ?? "";
  const begin = () => {
    const git = { isBinary: false, isCopy: false };
    const part: OpenPart = { git, body: "", isSavedInCrlf: false };
    open.push({ part, from: at });
    return part;
  };
  const part = open.at(-1)?.part;
  const isHead = part !== undefined && part.start === undefined;
  if (line.startsWith("diff --git ")) begin().gitLine = line.slice(11);
  else if (line.startsWith("Index: ")) begin();
  else if (line.startsWith("--- ") && (isFileHeader(lines, at) || startsBody(lines, at + 1))) {
    const own = isHead && part.oldName === undefined && part.newName === undefined;
    (own ? part : begin()).oldName = line.slice(4);
  } else if (line.startsWith("+++ ")) {
    (isHead && part.newName === undefined ? part : begin()).newName = line.slice(4);
  } else if (/^Binary files .* differ$/.test(line)) {
    const own = isHead ? part : begin();
    own.git.isBinary = true;
    if (own.gitLine === undefined) own.newName ??= line;
  } else if (isHead && part.gitLine !== undefined) readGitLine(part.git, line);
}

function startsBody(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("@@") ?? false;
}

function readGitLine(git: GitHeader, line: string): void {
  const [, key, value = ""] = GIT_LINE.exec(line) ?? [];
  switch (key) {
    case "copy from ":
    case "rename from ":
      git.isCopy = key === "copy from ";
      git.renameFrom = value;
      break;
    case "copy to ":
    case "rename to ":
      git.renameTo = value;
      break;
    case "old mode ":
      git.oldMode = value;
      break;
    case "new mode ":
      git.newMode = value;
      break;
    case "new file mode ":
      git.newFileMode = value;
      break;
    case "deleted file mode ":
      git.deletedMode = value;
      break;
    case "index ": {
      const mode = / (1\d{5})$/.exec(line)?.[1];
      if (mode !== undefined && !mode.startsWith("100")) git.oldMode ??= mode;
      break;
    }
    case "GIT binary patch":
      git.isBinary = true;
      break;
    default:
  }
}

const GIT_LINE =
  /^((?:copy|rename) (?:from|to) |(?:old|new) mode |(?:new|deleted) file mode |index |GIT binary patch)(.*)$/;

/** A lone `--- text` and the like is prose. */
function isAboutFile({ gitLine, oldName, newName, body }: FilePart): boolean {
  return body !== "" || gitLine !== undefined || (oldName ?? newName) !== undefined;
}
