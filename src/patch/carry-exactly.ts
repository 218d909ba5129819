const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** A hunk as its counts bound it; lines with the ends that they have in the patch and no marker. */
interface CountedHunk {
  /** Index of the source line at which it begins. */
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * What `git apply` makes of a source: every hunk byte for byte at its stated line, with the counts it
 * states. Undefined where any of it is not so; then the rules for patches say what was intended.
 *
 * Pure; takes time in proportion to source and patch.
 */
export function carryExactly(source: string, diff: string): string | undefined {
  const hunks = readCounted(diff);
  if (hunks === undefined || hunks.length === 0) return undefined;
  const lines = splitLines(source);
  const made: string[] = [];
  let done = 0;
  for (const { at, before, after } of hunks) {
    if (at < done || before.some((line, i) => lines[at + i] !== line)) return undefined;
    if (at > lines.length) return undefined;
    for (; done < at; done++) made.push(lines[done] ?? "");
    for (const line of after) made.push(line);
    done = at + before.length;
  }
  for (; done < lines.length; done++) made.push(lines[done] ?? "");
  const isWhole = made.every((line, i) => line.endsWith("\n") || i === made.length - 1);
  return isWhole ? made.join("") : undefined;
}

function readCounted(diff: string): readonly CountedHunk[] | undefined {
  const lines = diff.split("\n");
  const hunks: CountedHunk[] = [];
  for (let i = 0; i < lines.length; ) {
    const [head, start = "", oldCount = "1", newCount = "1"] = HEADER.exec(lines[i] ?? "") ?? [];
    // What is behind a hunk and is none may be one that got damaged on its way.
    if (head === undefined && hunks.length > 0) return isOver(lines.slice(i)) ? hunks : undefined;
    i++;
    if (head === undefined) continue;
    const [before, after]: [string[], string[]] = [[], []];
    while (before.length < Number(oldCount) || after.length < Number(newCount)) {
      const line = lines[i++];
      if (line === undefined || i === lines.length || !/^[-+ ]/.test(line)) return undefined;
      const isLast = lines[i]?.startsWith("\\ ") === true;
      if (isLast) i++;
      const text = line.slice(1) + (isLast ? "" : "\n");
      if (line[0] !== "+") before.push(text);
      if (line[0] !== "-") after.push(text);
    }
    const isCounted = before.length === Number(oldCount) && after.length === Number(newCount);
    if (!isCounted || /^[-+ ]/.test(withoutSignature(lines[i]))) return undefined;
    hunks.push({ at: Number(start) - (before.length === 0 ? 0 : 1), before, after });
  }
  return hunks;
}

/** Whether nothing is left but git's signature below a mail. */
function isOver(lines: readonly string[]): boolean {
  return lines.slice(lines[0] === "-- " ? 2 : 0).every((line) => line.trim() === "");
}

/** Git's signature below a mail is no removed line. */
function withoutSignature(line = ""): string {
  return line === "-- " ? "" : line;
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/**
 * Whether the line ends that a patch gives its lines got lost where it was not carried out exactly.
 * A patch or a file of one kind throughout says nothing of line ends; one that mixes them does.
 */
export function losesLineEnds(source: string, diff: string, made: string): boolean {
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
