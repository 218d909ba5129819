import { diffArrays } from "diff";

/**
 * An edited text with the line ends of what it was made of: boxes of browsers know one kind. Lines
 * that stayed keep theirs; what is new has the one that most lines have.
 */
export function keepLineEnds(original: string, edited: string): string {
  const lines = edited.replaceAll("\r\n", "\n").split("\n");
  if (!original.includes("\r\n")) return lines.join("\n");
  const before = original.split("\n");
  const returns = before.filter((line) => line.endsWith("\r")).length;
  const usual = returns * 2 >= before.length - 1 ? "\r" : "";
  const ends: string[] = [];
  let at = 0;
  const parts = diffArrays(
    before.map((line) => line.replace(/\r$/u, "")),
    lines,
  );
  for (const { added, removed, value } of parts) {
    if (added) for (const _ of value) ends.push(usual);
    else {
      // The last line of the text has no end of its own to keep.
      const end = at + value.length;
      for (; at < end; at++) {
        if (!removed) ends.push(endOf(before[at] ?? "", at < before.length - 1));
      }
    }
  }
  const last = lines.length - 1;
  return lines.map((line, n) => (n === last ? line : `${line}${ends[n] ?? usual}`)).join("\n");

  function endOf(line: string, hasEnd: boolean): string {
    if (!hasEnd) return usual;
    return line.endsWith("\r") ? "\r" : "";
  }
}
