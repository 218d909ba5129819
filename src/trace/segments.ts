import { instantOf } from "../core/ids.ts";

/** No trace of an answer within the protocol's bounds is longer. */
export const MAX_TRACE_BYTES = 16 * 1024 * 1024;

/** A segment that would become larger goes on in its next part. */
export const FULL_SEGMENT_BYTES = 64 * 1024 * 1024;

/** None is larger: of those who write at once each may have found room for its line. */
export const MAX_SEGMENT_BYTES = 2 * FULL_SEGMENT_BYTES;

/** More of one day, home and workspace is not written. */
export const MOST_PARTS = 16;

/** An id of this program: its time, then 7 characters of chance. */
export const OWN_ID = /^trace_[0-9a-hjkmnp-tv-z]{16}$/;

/** The day in UTC on which a trace began, as in its own id: `2026-11-21`. */
export function dayOf(ownId: string): string {
  return new Date(instantOf(ownId)).toISOString().slice(0, 10);
}

/**
 * The file of a day's traces: `2026-11-21-0a1b2c3d.jsonl`, or its further part `…-2.jsonl`. `home` is
 * nothing that who wrote the workspace could know: none of ours goes into a file of theirs.
 */
export function segmentName(day: string, home: string, part: number): string {
  return `${day}-${home}${part === 1 ? "" : `-${part}`}.jsonl`;
}

/** The day of a segment, whichever home's; undefined: the name is of something else. */
export function dayOfSegment(name: string): string | undefined {
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)-[0-9a-f]{8}(?:-\d{1,2})?\.jsonl$/.exec(name) ?? [];
  const start = Date.parse(day);
  // A 31st of February would pass for a day in March.
  const isReal = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
  return isReal ? day : undefined;
}

/** A trace as a line. Its own line ends on both sides: whatever was cut off before it is no part of it. */
export function toLine(traceId: string, fields: object): Buffer {
  const bytes = Buffer.from(`\n${JSON.stringify({ trace_id: traceId, ...fields })}\n`);
  if (bytes.length > MAX_TRACE_BYTES) throw new Error(`it is over ${MAX_TRACE_BYTES} bytes`);
  return bytes;
}
