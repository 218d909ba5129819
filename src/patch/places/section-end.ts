const OPENS = /^\s*(?:[\p{L}_$#@"'`.[]|<[^/]|\/[/*])/u;

/** Where the section ends that a line opens: at the next line that opens something as shallow. */
export function sectionEnd(lines: readonly string[], from: number): number {
  return endOfDepth(lines, from, depthOf(lines[from] ?? ""));
}

/** Where the next line begins that opens the same kind of thing, no deeper: with the same word. */
export function nextSibling(lines: readonly string[], from: number): number {
  const line = lines[from] ?? "";
  const [word, depth] = [firstWord(line), depthOf(line)];
  let next = from + 1;
  for (; next < lines.length; next++) {
    const other = lines[next] ?? "";
    if (depthOf(other) <= depth && firstWord(other) === word) break;
  }
  return next;
}

/** `#` begins titles of all levels. */
function firstWord(line: string): string {
  return /^\s*(#|[\p{L}\p{N}_$]+|\S)/u.exec(line)?.[1] ?? "";
}

/**
 * The block that a line refers to: what it opens, or else the rest of what it is in.
 *
 * A comment, a decorator and a blank line mean the first line of code below them.
 */
export function blockEnd(lines: readonly string[], from: number): number {
  let head = from;
  while (head < lines.length - 1 && isPreamble(lines[head] ?? "")) head++;
  const depth = depthOf(lines[head] ?? "");
  let next = head + 1;
  while (next < lines.length && lines[next]?.trim() === "") next++;
  const below = lines[next] ?? "";
  const opens = depthOf(below) > depth || below.trim() === "{";
  return endOfDepth(lines, head, opens ? depth : depth - 1);
}

/** Indentation of a line; -1 for a blank one. */
function depthOf(line: string): number {
  return line.search(/\S/);
}

/** A bracket or an item of a list ends nothing: its section goes on to the next name. */
function endOfDepth(lines: readonly string[], from: number, depth: number): number {
  for (let i = from + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const at = depthOf(line);
    if (at >= 0 && at <= depth && OPENS.test(line)) return i;
  }
  return lines.length;
}

function isPreamble(line: string): boolean {
  return /^\s*(?:$|\/\/|\/\*|\*|#|--|@)/.test(line);
}
