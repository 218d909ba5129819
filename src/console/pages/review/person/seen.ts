import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type FileEntry, type LastWords, type Tick, whyNotKept } from "../../../client/client.ts";
import { namesOf, type ShownFile } from "./renames.ts";

/** What a person has looked at of a change set, file by file; the daemon keeps it at once. */
export interface Seen {
  /** By path: looked at as it is, or before it was another. */
  readonly of: ReadonlySignal<ReadonlyMap<string, string>>;
  /** Ticks that wait to be kept, and why. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** Ticks a file, or takes that back; resolves to why it is refused, if so; where nobody answers it waits. */
  mark(path: string, isSeen: boolean): Promise<unknown>;
  /** How far what is ticked and kept has come. */
  readonly marks: () => number;
  /** What the daemon had when so much was ticked: what was not kept by then stands above it. */
  take(files: readonly Ticked[], marks: number): void;
}

/** What is seen of one change set: what the daemon has, and what it may not have yet. */
export function createSeen(ticks: LastWords<Tick>, id: string): Seen {
  const kept = signal<Kept>({ files: [], asOf: 0 });
  const of = computed(() => {
    const { files, asOf } = kept.value;
    const found = new Map(
      files.flatMap(({ path, seen }) => (seen === undefined ? [] : [[path, seen] as const])),
    );
    for (const { word, keptAt, isRefused } of ticks.said.value.values()) {
      if (word.id !== id || keptAt <= asOf || isRefused) continue;
      if (word.isSeen) found.set(word.path, "same");
      else found.delete(word.path);
    }
    return found;
  });
  return {
    of,
    failure: computed(() => whyNotKept(ticks, (word) => word.id === id)),
    marks: ticks.turn,
    async mark(path, isSeen) {
      const key = `${id} ${path}`;
      const word = { id, path, isSeen };
      const before = ticks.said.value.get(key);
      ticks.put(key, word);
      await ticks.flush();
      const said = ticks.said.value.get(key);
      if (said?.word !== word || !said.isRefused) return undefined;
      ticks.takeBack(key, before);
      return said.error;
    },
    take(files, asOf) {
      kept.value = { files, asOf };
    },
  };
}

/** What the daemon had, and when that was asked. */
interface Kept {
  readonly files: readonly Ticked[];
  readonly asOf: number;
}

/** As much of a file as says whether it was looked at. */
type Ticked = Pick<FileEntry, "path" | "seen">;

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
