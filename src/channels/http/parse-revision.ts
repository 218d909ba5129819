import {
  isFields,
  isFlag,
  isListOf,
  isObject,
  isText,
  parseForeignJson,
  SAID_BOUNDS,
} from "../../core/guards.ts";
import { isComment } from "../../store/settings/settings.ts";
import type { Comment, Revision } from "../press.ts";
import type { Say } from "./refuse.ts";

/** No change set has more files, and no file that somebody picks from more hunks. */
const MOST_PARTS = 2000;
const MOST_HUNKS = 20_000;

/** What is wrong with a body; by the table of refusals, where a person said too much. */
interface Bad {
  readonly ok: false;
  readonly message: string | Say;
}

/** What a body says is to be different, or what is wrong with that. */
export type ParsedRevision = { readonly ok: true; readonly revision: Revision } | Bad;

/** Reads what a press carries beside its name: `leave_out` and `comments`. */
export function parseRevision(body: Readonly<Record<string, unknown>>): ParsedRevision {
  const { leave_out: leftOut, comments } = body;
  const left = leftOut === undefined ? undefined : parseParts("leave_out", leftOut);
  if (left && !left.ok) return left;
  const read = comments === undefined ? undefined : parseComments(comments);
  if (read && !read.ok) return read;
  return {
    ok: true,
    revision: { ...(left && { leftOut: left.parts }), ...(read && { comments: read.comments }) },
  };
}

/** Reads what somebody is about to leave out: a file, some of its hunks, or with none of them nothing of it. */
export function parseUnticked(body: string): ParsedParts {
  const value = parseForeignJson(body);
  return parseParts("unticked", isFields(value) ? value["unticked"] : undefined);
}

type ParsedParts = { readonly ok: true; readonly parts: NonNullable<Revision["leftOut"]> } | Bad;

function parseParts(key: string, parts: unknown): ParsedParts {
  const isFine = isParts(parts) && parts.every(isKnown);
  if (!isFine || !parts.every(({ hunks = [] }) => hunks.every(isNumber))) {
    return refuse(`"${key}" must be [{"path", "hunks"?: [0, …]}]`);
  }
  const hunks = parts.reduce((sum, part) => sum + (part.hunks?.length ?? 0), 0);
  if (parts.length > MOST_PARTS || hunks > MOST_HUNKS) {
    return refuse(`"${key}" may name ${MOST_PARTS} files and ${MOST_HUNKS} hunks`);
  }
  return { ok: true, parts };
}

/** Reads what somebody is about to say of one place; with an empty text: nothing any more. */
export function parseDraft(body: string): { readonly ok: true; readonly said: Comment } | Bad {
  const value = parseForeignJson(body);
  const read = parseComments([value]);
  const [said] = read.ok ? read.comments : [];
  if (!said) return read.ok ? refuse("the body is no comment") : read;
  const { text, path, side, line, to, instead } = said;
  const place = { ...(path !== undefined && { path }), ...(side && { side }) };
  return {
    ok: true,
    said: {
      text,
      ...place,
      ...(line !== undefined && { line }),
      ...(to !== undefined && { to }),
      ...(instead && { instead }),
    },
  };
}

/** Reads whether somebody has looked at a file. */
export function parseSeen(
  body: string,
): { readonly ok: true; readonly path: string; readonly isSeen: boolean } | Bad {
  const value = parseForeignJson(body);
  if (!isSeen(value)) return refuse('the body must be {"path", "seen": true or false}');
  return { ok: true, path: value.path, isSeen: value.seen };
}

const isSeen = isObject({ path: isText, seen: isFlag });

/** Reads comments. */
function parseComments(
  value: unknown,
): { readonly ok: true; readonly comments: readonly Comment[] } | Bad {
  if (!isListOf(isComment)(value) || !value.every(isPlaced)) {
    return refuse(
      '"comments" must be [{"path"?, "side"?: "before" or "after", "line"?, "to"?, "text", "instead"?}], "instead" of lines after the change',
    );
  }
  const chars = value.reduce((sum, { text }) => sum + text.length, 0);
  const isLong = value.some(({ text }) => text.length > SAID_BOUNDS.chars);
  if (value.length > SAID_BOUNDS.comments || isLong || chars > SAID_BOUNDS.charsOfAll) {
    return refuse(sayTooMuch);
  }
  return { ok: true, comments: value };
}

/** Says how much may be said. */
export const sayTooMuch: Say = (say) =>
  say.tooMuchSaid(SAID_BOUNDS.comments, SAID_BOUNDS.chars, SAID_BOUNDS.charsOfAll);

/** A line is of a side of a file, and the last one is not before the first. */
function isPlaced({ path, side, line, to, text, instead }: Comment): boolean {
  if (instead && (line === undefined || side !== "after" || !text.isWellFormed())) return false;
  if (line === undefined) return side === undefined && to === undefined;
  const isRange = to === undefined || (isNumber(to) && to >= line);
  return path !== undefined && side !== undefined && isNumber(line) && line > 0 && isRange;
}

const isParts = isListOf(isObject({ path: isText }, { hunks: isListOf(isAnyNumber) }));

/** A misspelt `hunks` would leave out the whole file. */
function isKnown(part: object): boolean {
  return Object.keys(part).every((key) => key === "path" || key === "hunks");
}

function isAnyNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isNumber(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 1e9;
}

function refuse(message: Bad["message"]): Bad {
  return { ok: false, message };
}
