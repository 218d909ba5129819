const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A hunk as its counts bound it; lines with the ends that they have in the patch and no marker. */
interface CountedHunk {
  /** Index of the source line at which it begins. */
  readonly at: number;
  /** Index at which what it makes begins. */
  readonly madeAt: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether it quotes a line that stays. */
  readonly hasContext: boolean;
  /** Whether a line that stays is its last one; where none is, the diff was made at the end of the file. */
  readonly goesOn: boolean;
}

/**
 * What `git apply` makes of a source: every hunk byte for byte at its stated line, with the counts it
 * states, and at the end of the file where it ends with a changed line. A patch without any context is
 * carried out as with `--unidiff-zero`, but for one whose lines are there already. Undefined where any
 * of it is not so; then the rules for patches say what was intended.
 *
 * Pure; takes time in proportion to source and patch.
 */
export function carryExactly(source: string, diff: string): string | undefined {
  const hunks = readCounted(diff);
  if (hunks === undefined || hunks.length === 0) return undefined;
  const lines = splitLines(source);
  const isBare = !hunks.some(({ hasContext }) => hasContext);
  if (isBare && isMadeAlready(lines, hunks)) return undefined;
  const made: string[] = [];
  let done = 0;
  for (const { at, before, after, goesOn } of hunks) {
    if (at < done || !isThere(lines, at, before)) return undefined;
    if (at > lines.length) return undefined;
    // What others wrote below it since, or this very patch did, is told by nothing else.
    if (!isBare && !goesOn && at + before.length !== lines.length) return undefined;
    for (; done < at; done++) made.push(lines[done] ?? "");
    for (const line of after) made.push(line);
    done = at + before.length;
  }
  for (; done < lines.length; done++) made.push(lines[done] ?? "");
  const isWhole = made.every((line, i) => line.endsWith("\n") || i === made.length - 1);
  return isWhole ? made.join("") : undefined;
}

/** Whether all that it puts in stands exactly where it would. */
function isMadeAlready(lines: readonly string[], hunks: readonly CountedHunk[]): boolean {
  const putsIn = hunks.some(({ after }) => after.length > 0);
  return putsIn && hunks.every(({ madeAt, after }) => isThere(lines, madeAt, after));
}

function isThere(lines: readonly string[], at: number, wanted: readonly string[]): boolean {
  return wanted.every((line, i) => lines[at + i] === line);
}

function readCounted(diff: string): readonly CountedHunk[] | undefined {
  const lines = diff.split("\n");
  const hunks: CountedHunk[] = [];
  for (let i = behindNames(lines); i < lines.length; ) {
    // What stands in the place of a hunk and is none may be one that got damaged on its way.
    if (hunks.length > 0 && isOver(lines, i)) return hunks;
    const header = HEADER.exec(lines[i++] ?? "");
    if (header === null) return undefined;
    const [, start = "", oldCount = "1", newStart = "", newCount = "1"] = header;
    const [before, after]: [string[], string[]] = [[], []];
    let [hasContext, goesOn] = [false, false];
    while (before.length < Number(oldCount) || after.length < Number(newCount)) {
      const line = lines[i++];
      if (line === undefined || i === lines.length || !/^[-+ ]/.test(line)) return undefined;
      const isLast = lines[i]?.startsWith("\\ ") === true;
      if (isLast) i++;
      const text = line.slice(1) + (isLast ? "" : "\n");
      goesOn = line[0] === " ";
      hasContext ||= goesOn;
      if (line[0] !== "+") before.push(text);
      if (line[0] !== "-") after.push(text);
    }
    const isCounted = before.length === Number(oldCount) && after.length === Number(newCount);
    if (!isCounted) return undefined;
    const at = Number(start) - (before.length === 0 ? 0 : 1);
    const madeAt = Number(newStart) - (after.length === 0 ? 0 : 1);
    hunks.push({ at, madeAt, before, after, hasContext, goesOn });
  }
  return hunks;
}

/** Where the first hunk has to begin: below what names the file. */
function behindNames(lines: readonly string[]): number {
  const at = lines[0]?.startsWith("diff --git ") ? 1 : 0;
  return lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") ? at + 2 : at;
}

/** Whether nothing is left but git's signature below a mail: a line of two dashes and a version. */
function isOver(lines: readonly string[], at: number): boolean {
  const isSigned = lines[at] === "-- " && /^\d+\.\d/.test(lines[at + 1] ?? "");
  for (let i = isSigned ? at + 2 : at; i < lines.length; i++) {
    if (lines[i]?.trim() !== "") return false;
  }
  return true;
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** Whether bytes that a patch gives its lines and nobody sees got lost where it was not carried out exactly. */
export function losesBytes(source: string, diff: string, made: string): boolean {
  return losesMark(diff, made) || losesLineEnds(source, diff, made);
}

/** A byte order mark that comes or goes. */
function losesMark(diff: string, made: string): boolean {
  const [goes, comes] = [/^-\uFEFF/mu.test(diff), /^\+\uFEFF/mu.test(diff)];
  return goes !== comes && made.startsWith("\uFEFF") !== comes;
}

/** A patch or a file of one kind throughout says nothing of line ends; one that mixes them does. */
function losesLineEnds(source: string, diff: string, made: string): boolean {
  const lines = diff.split("\n").slice(2);
  const isBody = (line: string, i: number) =>
    /^[-+ ]/.test(line) && line !== "-- " && lines[i + 1]?.startsWith("\\ ") !== true;
  const body = lines.filter(isBody);
  const inCrlf = body.filter((line) => line.endsWith("\r"));
  if (inCrlf.length === 0) return false;
  const ends = countCrlf(source);
  const isQuoted = body.some((line) => !line.startsWith("+"));
  const isOneKind = ends === 0 || ends === source.split("\n").length - 1;
  if (inCrlf.length === body.length && isQuoted && isOneKind) return false;
  const count = (mark: string) => inCrlf.filter((line) => line.startsWith(mark)).length;
  return countCrlf(made) - ends !== count("+") - count("-");
}

function countCrlf(text: string): number {
  return text.split("\r\n").length - 1;
}
