import { maybe, number, object, text } from "./read-json.ts";

/** A file of a change set: its figures, without its texts. */
export interface FileEntry {
  readonly n: number;
  readonly path: string;
  readonly kind: string;
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
  readonly size_before: number | undefined;
  readonly size_after: number | undefined;
  readonly generated: boolean;
  readonly mode_before: string | undefined;
  readonly mode_after: string | undefined;
  /** Its contents are not kept any more. */
  readonly isGone: boolean;
  /** How it differs from the version before: `same`, `changed` or `new`. */
  readonly since: string | undefined;
  /** Looked at as it is (`same`), or before it was another (`changed`). */
  readonly seen: string | undefined;
  /** The file whose lines it has, and how it differs from that. */
  readonly renamed_from: Renamed | undefined;
  /** The number of the file that has its lines. */
  readonly renamed_to: number | undefined;
}

/** Where a file comes from. */
export interface Renamed {
  readonly n: number;
  readonly added: number;
  readonly removed: number;
}

/** Reads one. */
export function readFile(value: unknown): FileEntry {
  const it = object(value);
  return {
    n: number(it["n"]),
    path: text(it["path"]),
    kind: text(it["kind"]),
    added: number(it["added"]),
    removed: number(it["removed"]),
    binary: it["binary"] === true,
    generated: it["generated"] === true,
    isGone: it["gone"] === true,
    since: maybe(it["since"], text),
    seen: maybe(it["seen"], text),
    renamed_from: maybe(it["renamed_from"], readRenamed),
    renamed_to: maybe(it["renamed_to"], (to) => number(object(to)["n"])),
    size_before: maybe(it["size_before"], number),
    size_after: maybe(it["size_after"], number),
    mode_before: maybe(it["mode_before"], text),
    mode_after: maybe(it["mode_after"], text),
  };
}

function readRenamed(value: unknown): Renamed {
  const { n, added, removed } = object(value);
  return { n: number(n), added: number(added), removed: number(removed) };
}
