import type { HunkLine } from "./hunk.ts";

/** What is read: the lines of a patch, and what the file can say about them. */
export interface PatchLines {
  /** Without their ends. */
  readonly lines: readonly string[];
  /** The last line has no end. */
  readonly cut: boolean;
  /** Whether the file has a line, up to the blanks around it. */
  readonly hasLine: (line: string) => boolean;
}

/** Whether a line can be in a hunk: it has a marker, or is a context line stripped bare. */
export function isBodyLine(line: string): boolean {
  return markOf(line) !== undefined;
}

/** What the marker of a line says; "end": it is git's note that the file ends without a line end. */
export function markOf(line: string): HunkLine["kind"] | "end" | undefined {
  switch (line.charAt(0)) {
    case " ":
    case "\u00A0":
    case "":
      return "keep";
    case "-":
      return "remove";
    case "+":
      return "add";
    case "\\":
      return line[1] === " " ? "end" : undefined;
    default:
      return undefined;
  }
}

/** Whether the lines at `at` begin another file's part: `--- old` directly above `+++ new`. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return (lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) ?? false;
}

/** What ends a hunk regardless of its counts: the next header, a fence, or git's signature. */
export function isEdge(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (line === "-- ") return /^\d+\.\d/.test(lines[at + 1] ?? "");
  return /^(?:@@|```|~~~|diff |Index: )/.test(line) || isFileHeader(lines, at);
}
