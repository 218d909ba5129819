import { computed, type ReadonlySignal, signal } from "@preact/signals";
import {
  type LastWords,
  type LeftPart,
  type Unticked,
  whyNotKept,
} from "../../../client/client.ts";

/** What a person left out of a change set: whole files, or some hunks of a file, by their numbers. */
export type Picks = ReadonlyMap<string, "file" | ReadonlySet<number>>;

/** A file, as far as it decides what goes with it. */
export interface PickedFile {
  readonly path: string;
  readonly kind: string;
}

/** Nothing is left out. */
export const ALL: Picks = new Map();

/** What a person leaves out of one change set; the daemon keeps it at once, for every window. */
export interface Picking {
  readonly now: ReadonlySignal<Picks>;
  /** It is not kept, and why, also where that is tried again. */
  readonly failure: ReadonlySignal<string | undefined>;
  set(next: Picks): void;
  /** How far what is left out and kept has come. */
  readonly turns: () => number;
  /** What the daemon had at that turn: what was not kept by then stands above it. */
  take(kept: readonly LeftPart[], turn: number): void;
}

/** What is left out of one change set: what the daemon has, and what it may not have yet. */
export function createPicking(unticked: LastWords<Unticked>, id: string): Picking {
  const kept = signal<{ readonly picks: Picks; readonly asOf: number }>({ picks: ALL, asOf: 0 });
  const own = computed(() => unticked.said.value.get(id));
  const waiting = computed(() => {
    const said = own.value;
    return said && !said.isRefused && said.keptAt > kept.value.asOf ? said.word.parts : [];
  });
  const now = computed(() => withParts(kept.value.picks, waiting.value));
  return {
    now,
    failure: computed(() => whyNotKept(unticked, (word) => word.id === id)),
    set(next) {
      const [before, after] = [now.value, next].map((picks) => byPath(toParts(picks)));
      const paths = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
      const parts = paths.flatMap((path) => {
        const part = after?.get(path) ?? { path, hunks: [] };
        return String(before?.get(path)?.hunks) === String(part.hunks) && before?.has(path)
          ? []
          : [part];
      });
      const all = byPath([...waiting.value, ...parts]);
      unticked.put(id, { id, parts: [...all.values()] });
      void unticked.flush();
    },
    turns: unticked.turn,
    take(parts, asOf) {
      kept.value = { picks: withParts(ALL, parts), asOf };
    },
  };
}

function withParts(picks: Picks, parts: readonly LeftPart[]): Picks {
  const next = new Map(picks);
  for (const { path, hunks } of parts) {
    if (hunks?.length === 0) next.delete(path);
    else next.set(path, hunks ? new Set(hunks) : "file");
  }
  return next;
}

function byPath(parts: readonly LeftPart[]): ReadonlyMap<string, LeftPart> {
  return new Map(parts.map((part) => [part.path, part]));
}

/**
 * Leaves a file out, or takes it in again, with what cannot be without it: what is made in a folder
 * goes with the folder, and a folder stays while something in it stays.
 */
export function toggleFile(picks: Picks, files: readonly PickedFile[], path: string): Picks {
  const next = new Map(picks);
  const file = files.find((each) => each.path === path);
  const isOut = picks.get(path) === "file";
  const isIn = (inner: string, folder: string) => inner.startsWith(`${folder}/`);
  const others = files.filter(({ path: other, kind }) => {
    const [isBelow, isAbove] = [isIn(other, path), isIn(path, other)];
    if (isOut) return kind === "mkdir" ? isAbove : file?.kind === "rmdir" && isBelow;
    return kind === "rmdir" ? isAbove : file?.kind === "mkdir" && isBelow;
  });
  for (const each of [path, ...others.map((other) => other.path)]) {
    if (isOut) next.delete(each);
    else next.set(each, "file");
  }
  return next;
}

/** Leaves one hunk of a file out, or takes it in again; of a file that is left out there is none. */
export function toggleHunk(picks: Picks, path: string, hunk: number): Picks {
  const before = picks.get(path);
  if (before === "file") return picks;
  const next = new Map(picks);
  const hunks = new Set(before);
  if (!hunks.delete(hunk)) hunks.add(hunk);
  if (hunks.size === 0) next.delete(path);
  else next.set(path, hunks);
  return next;
}

/** Whether a hunk is left out, by itself or with its file. */
export function isLeftOut(picks: Picks, path: string, hunk?: number): boolean {
  const found = picks.get(path);
  return found === "file" || (hunk !== undefined && found?.has(hunk) === true);
}

/** What a press says of it. */
export function toParts(picks: Picks): readonly LeftPart[] {
  return [...picks].map(([path, found]) =>
    found === "file" ? { path } : { path, hunks: [...found].toSorted((a, b) => a - b) },
  );
}
