import type { HunkLine } from "./hunk.ts";

/** Whether the file has a line, up to the blanks around it if not exactly. */
export type HasLine = (line: string, how?: "exactly") => boolean;

/** What the changed lines of a whole patch say of lines that no marker explains. */
export interface Survey {
  /** Whether a line ends what the patch is put in, and cannot close what an added line opens. */
  readonly isWrapper: (line: string) => boolean;
  /** Whether some hunk has two lines next to each other on its new side, and adds one of them. */
  readonly isMade: (upper: string, lower: string) => boolean;
}

/** What is read: the lines of a patch, and what the file can say about them. */
export interface PatchLines extends Survey {
  /** Without their ends. */
  readonly lines: readonly string[];
  /** The last line has no end. */
  readonly cut: boolean;
  readonly hasLine: HasLine;
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
