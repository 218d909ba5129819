import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { sha256 } from "../../core/sha256.ts";
import type { Change, ChangeSet } from "../change.ts";
import { buildChangeSet, contentOf } from "../change-set.ts";

/** Lines of a file as a change set would leave it, and what somebody writes in their place. */
export interface WrittenLines {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The last of them. */
  readonly to: number;
  /** Without the end of its last line; any line ends, the file's own are taken. */
  readonly text: string;
}

/** Lines of a file, from 1, the last among them. */
type Span = Pick<WrittenLines, "line" | "to">;

/** A change set with lines that somebody wrote, or why there is none. */
export type WithLines =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  /** It has no such file, or the file no such line. */
  | {
      readonly ok: false;
      readonly why: "unknown lines";
      readonly path: string;
      readonly line: number;
    }
  /** A line is in two of them: nobody says which one counts. */
  | {
      readonly ok: false;
      readonly why: "overlapping";
      readonly path: string;
      readonly both: readonly [Span, Span];
    }
  /** Nothing would be another than before the change set. */
  | { readonly ok: false; readonly why: "nothing left" };

/**
 * A change set that leaves files as it did, but for lines that were written anew. Every other line,
 * and every line end, stays byte for byte. A file that is as before it by then is no change any more.
 */
export function writeLines(whole: ChangeSet, written: readonly WrittenLines[]): WithLines {
  const contents = new Map(whole.contents);
  const changes = new Map(whole.changes.map((change) => [change.path, change]));
  for (const [path, own] of Map.groupBy(written, (each) => each.path)) {
    const change = changes.get(path);
    const lines = change && "after" in change ? linesOf(whole, change) : undefined;
    const strange = own.find((each) => !isThere(each, lines?.length ?? 0));
    if (!change || !("after" in change) || !lines || strange) {
      const line = strange?.line ?? own[0]?.line ?? 0;
      return { ok: false, why: "unknown lines", path, line };
    }
    const both = findOverlap(own);
    if (both) return { ok: false, why: "overlapping", path, both };
    const bytes = Buffer.from(replaceLines(lines, own));
    const after = { ...change.after, sha256: sha256(bytes), sizeBytes: bytes.byteLength };
    const isBack =
      change.kind === "update" &&
      change.before.sha256 === after.sha256 &&
      change.before.mode === after.mode;
    if (isBack) changes.delete(path);
    else changes.set(path, { ...change, after });
    contents.set(after.sha256, bytes);
  }
  if (changes.size === 0) return { ok: false, why: "nothing left" };
  const left = [...changes.values()];
  const used = new Set(left.flatMap(hashesOf));
  const some = new Map([...contents].filter(([hash]) => used.has(hash)));
  return { ok: true, changeSet: buildChangeSet(left, some) };
}

/** Lines with their ends; undefined: it is no text. */
function linesOf(
  whole: ChangeSet,
  { after }: Extract<Change, { readonly kind: "create" | "update" }>,
): readonly string[] | undefined {
  const text = decodeUtf8(contentOf(whole, after));
  return text?.split(/(?<=\n)/u).filter((line) => line !== "");
}

function isThere({ line, to }: Span, count: number): boolean {
  return line >= 1 && line <= to && to <= count;
}

/** The first two lines of one file, from above, that have a line in common. */
export function findOverlap(written: readonly Span[]): readonly [Span, Span] | undefined {
  const sorted = written.toSorted((a, b) => a.line - b.line || a.to - b.to);
  for (const [at, { line, to }] of sorted.entries()) {
    const next = sorted[at + 1];
    // Where none overlaps the one behind it, none overlaps any.
    if (next && next.line <= to)
      return [
        { line, to },
        { line: next.line, to: next.to },
      ];
  }
  return undefined;
}

function replaceLines(lines: readonly string[], written: readonly WrittenLines[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { line, to, text } of written.toSorted((a, b) => a.line - b.line)) {
    parts.push(lines.slice(done, line - 1).join(""));
    const last = lines[to - 1] ?? "";
    const end = endOf(last);
    // The last line of a file may have no end; between two there is one.
    const between = end || endOf(lines[0] ?? "") || "\n";
    parts.push(text.split(/\r\n|\n/u).join(between) + end);
    done = to;
  }
  return [...parts, ...lines.slice(done)].join("");
}

function endOf(line: string): string {
  return /\r?\n$/u.exec(line)?.[0] ?? "";
}

function hashesOf(change: Change): readonly string[] {
  return [
    ...("before" in change ? [change.before.sha256] : []),
    ...("after" in change ? [change.after.sha256] : []),
  ];
}
