import { type Signal, signal } from "@preact/signals";
import type { Client, Comment } from "../../../client/client.ts";

/** Somebody who writes pauses for so long before it is kept. */
const PAUSE_MS = 500;

/** A place in a change set of which something is said, was said or is about to be. */
export type Place = Pick<Comment, "path" | "side" | "line">;

/** What is about to be said of a change set, place by place; the daemon keeps it at each pause. */
export interface Comments {
  /** All that say something, in the order in which they were begun. */
  readonly all: Signal<readonly Comment[]>;
  /** Where a box is open, by {@link placeKey}. */
  readonly open: Signal<ReadonlySet<string>>;
  /** Of the box that is to have the focus as soon as it is there. */
  wanted: string | undefined;
  /** It could not be kept, and why. */
  readonly failure: Signal<string | undefined>;
  write(comment: Comment): void;
  show(place: Place, isOpen: boolean): void;
  /** How often something was written: what was asked for before the last time is out of date. */
  readonly writes: () => number;
  /** What the daemon had when so much was written, unless somebody writes. */
  take(kept: readonly Comment[], writes: number): void;
  /** Keeps what waits for a pause. */
  flush(): Promise<void>;
}

/** The place of a comment as a text. */
export function placeKey({ path, side, line }: Place): string {
  return JSON.stringify([path ?? null, side ?? null, line ?? null]);
}

/** The place that a key is of. */
export function toPlace(key: string): Place {
  const [path, side, line]: readonly unknown[] = JSON.parse(key);
  return {
    ...(typeof path === "string" && { path }),
    ...((side === "before" || side === "after") && { side }),
    ...(typeof line === "number" && { line }),
  };
}

/** The comments of one change set. */
export function createComments(client: Pick<Client, "draft">, id: string): Comments {
  const all = signal<readonly Comment[]>([]);
  const open = signal<ReadonlySet<string>>(new Set());
  const failure = signal<string | undefined>(undefined);
  const waiting = new Map<string, Comment>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keeping = Promise.resolve();
  let writes = 0;

  async function keep(): Promise<void> {
    const [...batch] = waiting.entries();
    for (const [key, comment] of batch) {
      try {
        await client.draft(id, comment);
        if (waiting.get(key) === comment) waiting.delete(key);
        failure.value = undefined;
      } catch (error) {
        failure.value = error instanceof Error ? error.message : String(error);
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    keeping = keeping.then(keep);
    return keeping;
  }

  return {
    all,
    open,
    wanted: undefined,
    failure,
    flush,
    writes: () => writes,
    write(comment) {
      writes += 1;
      const key = placeKey(comment);
      const at = all.value.findIndex((each) => placeKey(each) === key);
      const others = all.value.filter((each) => placeKey(each) !== key);
      if (comment.text === "") all.value = others;
      else all.value = at < 0 ? [...others, comment] : all.value.with(at, comment);
      waiting.set(key, comment);
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), PAUSE_MS);
    },
    show(place, isOpen) {
      const next = new Set(open.value);
      if (isOpen) next.add(placeKey(place));
      else next.delete(placeKey(place));
      open.value = next;
    },
    take(kept, asOf) {
      if (waiting.size > 0 || asOf !== writes) return;
      all.value = kept;
      open.value = new Set([...open.value, ...kept.map(placeKey)]);
    },
  };
}
