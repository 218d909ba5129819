import { type Signal, signal } from "@preact/signals";
import type { Client, FileEntry } from "../../../client/client.ts";
import { namesOf, type ShownFile } from "./renames.ts";

/** What a person has looked at of a change set, file by file; the daemon keeps it at once. */
export interface Seen {
  /** By path: looked at as it is, or before it was another. */
  readonly of: Signal<ReadonlyMap<string, string>>;
  /** Ticks a file, or takes that back; resolves to why it could not be kept, if so. */
  mark(path: string, isSeen: boolean): Promise<unknown>;
  /** How often something was ticked: what was asked for before the last time is out of date. */
  readonly marks: () => number;
  /** What the daemon had when so much was ticked. */
  take(files: readonly FileEntry[], marks: number): void;
}

/** What is seen of one change set. */
export function createSeen(client: Pick<Client, "post">, id: string): Seen {
  const of = signal<ReadonlyMap<string, string>>(new Map());
  let marks = 0;
  let keeping: Promise<unknown> = Promise.resolve();

  function set(path: string, state: string | undefined): void {
    const next = new Map(of.value);
    if (state === undefined) next.delete(path);
    else next.set(path, state);
    of.value = next;
  }

  return {
    of,
    marks: () => marks,
    mark(path, isSeen) {
      marks += 1;
      const before = of.value.get(path);
      set(path, isSeen ? "same" : undefined);
      // One after another: the last word is the one that counts.
      const kept = keeping.then(() =>
        client.post(`/api/change-sets/${encodeURIComponent(id)}/seen`, { path, seen: isSeen }).then(
          () => undefined,
          (error: unknown) => {
            set(path, before);
            return error;
          },
        ),
      );
      keeping = kept.then(() => (marks += 1));
      return kept;
    },
    take(files, asOf) {
      if (asOf !== marks) return;
      of.value = new Map(
        files.flatMap(({ path, seen }) => (seen === undefined ? [] : [[path, seen] as const])),
      );
    },
  };
}

/** How much of a file was looked at: with each of its names. */
export function seenOf({ of }: Pick<Seen, "of">, file: ShownFile): string | undefined {
  const states = namesOf(file).map((name) => of.value.get(name));
  if (states.every((state) => state === "same")) return "same";
  return states.some((state) => state !== undefined) ? "changed" : undefined;
}

/** Whether there is anything in it to be looked at. */
export function isLookedAt({ kind }: FileEntry): boolean {
  return kind !== "mkdir" && kind !== "rmdir";
}
