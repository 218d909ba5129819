import { list, maybe, number, object, text } from "./read-json.ts";

/** Something that a person says of a change set: of some of its lines, of a file, or of all of it. */
export interface Comment {
  readonly path?: string;
  readonly side?: "before" | "after";
  readonly line?: number;
  /** The last of several lines. */
  readonly to?: number;
  readonly text: string;
  /** The text is what the lines are to be. */
  readonly instead?: boolean;
  /** Where it was in the version before; it is not there any more. */
  readonly was_line?: number;
}

/** A part of a change set that is left out: a whole file, or some of its hunks by their numbers. */
export interface LeftPart {
  readonly path: string;
  readonly hunks?: readonly number[];
}

/** What a press says beside its name. */
export interface Revision {
  readonly leave_out?: readonly LeftPart[];
  readonly comments?: readonly Comment[];
}

/** The version before a change set that the person looked at, or the one that it took the place of. */
export interface Previous {
  readonly approval_id: string;
  /** They looked at it. */
  readonly isLooked: boolean;
  /** What was said of it, at the lines of now. */
  readonly comments: readonly Comment[];
  /** Files that it changed and this one does not; undefined: nobody knows any more. */
  readonly gone: readonly string[] | undefined;
}

/** Reads it. */
export function readPrevious(value: unknown): Previous {
  const it = object(value);
  return {
    approval_id: text(it["approval_id"]),
    isLooked: it["looked"] === true,
    comments: list(it["comments"]).map(readComment),
    gone: maybe(it["gone"], (paths) => list(paths).map(text)),
  };
}

/** Reads what is left out. */
export function readLeftPart(value: unknown): LeftPart {
  const it = object(value);
  const hunks = maybe(it["hunks"], (all) => list(all).map(number));
  return { path: text(it["path"]), ...(hunks && { hunks }) };
}

/** Reads one, wherever it stands. */
export function readComment(value: unknown): Comment {
  const it = object(value);
  const side = it["side"];
  return {
    text: text(it["text"]),
    ...(typeof it["path"] === "string" && { path: it["path"] }),
    ...((side === "before" || side === "after") && { side }),
    ...(typeof it["line"] === "number" && { line: it["line"] }),
    ...(typeof it["to"] === "number" && { to: it["to"] }),
    ...(it["instead"] === true && { instead: true }),
    ...(typeof it["was_line"] === "number" && { was_line: it["was_line"] }),
  };
}
