import type { Comment } from "../../../client/client.ts";

/** A place in a change set of which something is said, was said or is about to be. */
export type Place = Pick<Comment, "path" | "side" | "line" | "to">;

/** The place of a comment as a text; there is one comment at each first line, however far it goes. */
export function placeKey({ path, side, line }: Place): string {
  return JSON.stringify([path ?? null, side ?? null, line ?? null]);
}

/** Where a comment is, without its words. */
export function toPlace({ path, side, line, to }: Place): Place {
  return {
    ...(path !== undefined && { path }),
    ...(side && { side }),
    ...(line !== undefined && { line }),
    ...(to !== undefined && { to }),
  };
}

/** The lines from one to another, whichever comes first; of a single one there is no last. */
export function rangeOf(
  one: number,
  other: number,
): { readonly line: number; readonly to?: number } {
  const [line, to] = [Math.min(one, other), Math.max(one, other)];
  return { line, ...(to > line && { to }) };
}

/** All lines of two places of one side; they begin at the same line. */
export function joinRanges(one: Place, other: Place): Place {
  const last = Math.max(lastOf(one), lastOf(other));
  return { ...one, ...(one.line !== undefined && rangeOf(one.line, last)) };
}

/** The end of a place that moves while the other stays where a person began. */
export function movingEnd({ line = 0, to = line }: Place, from: number): number {
  return from === line ? to : line;
}

/** A number that somebody typed as the last line of a place: never before its first, nor beyond the file. */
export function clampEnd({ line = 1 }: Place, typed: number, last: number): number {
  if (!Number.isFinite(typed)) return line;
  return Math.max(line, Math.min(Math.trunc(typed), last));
}

/** Whether a line of a side is one of those that a place is about. */
export function isWithin(place: Place, side: Place["side"], line: number): boolean {
  const { line: first } = place;
  return place.side === side && first !== undefined && first <= line && line <= lastOf(place);
}

function lastOf({ line = 0, to = line }: Place): number {
  return to;
}
