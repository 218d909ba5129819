import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Comment, type Drafted, type LastWords, messageOf } from "../../../client/client.ts";

/** Somebody who writes pauses for so long before it is kept. */
const PAUSE_MS = 500;

/** A place in a change set of which something is said, was said or is about to be. */
export type Place = Pick<Comment, "path" | "side" | "line">;

/** What is about to be said of a change set, place by place; the daemon keeps it at each pause. */
export interface Comments {
  /** All that say something, in the order in which they were begun. */
  readonly all: ReadonlySignal<readonly Comment[]>;
  /** Where a box is open, by {@link placeKey}. */
  readonly open: Signal<ReadonlySet<string>>;
  /** Of the box that is to have the focus as soon as it is there. */
  wanted: string | undefined;
  /** It could not be kept, and why. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** What the daemon would not have: its words are here alone. */
  readonly refused: ReadonlySignal<readonly Comment[]>;
  /** Lets them go. */
  dropRefused(): void;
  write(comment: Comment): void;
  show(place: Place, isOpen: boolean): void;
  /** How far what is written and kept has come. */
  readonly writes: () => number;
  /** What the daemon had when so much was written: what was not kept by then stands above it. */
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

/** The comments of one change set: what the daemon has, and below it what it may not have yet. */
export function createComments(drafts: LastWords<Drafted>, id: string): Comments {
  const kept = signal<Kept>({ comments: [], asOf: drafts.turn() });
  const all = computed(() => {
    const { comments, asOf } = kept.value;
    const found = new Map(comments.map((comment) => [placeKey(comment), comment]));
    for (const { word, keptAt } of drafts.said.value.values()) {
      if (word.id === id && keptAt > asOf) found.set(placeKey(word.comment), word.comment);
    }
    return [...found.values()].filter(({ text }) => text !== "");
  });
  const open = signal<ReadonlySet<string>>(new Set(all.value.map(placeKey)));
  const failure = computed(() => {
    const own = [...drafts.said.value.values()].filter(({ word }) => word.id === id);
    const error = own.find((each) => each.error !== undefined)?.error;
    return error === undefined ? undefined : messageOf(error);
  });
  const refused = computed(() =>
    [...drafts.said.value.values()].flatMap(({ word, isRefused }) =>
      word.id === id && isRefused ? [word.comment] : [],
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return drafts.flush();
  }

  return {
    all,
    open,
    wanted: undefined,
    failure,
    refused,
    dropRefused() {
      for (const comment of refused.peek())
        drafts.takeBack(`${id} ${placeKey(comment)}`, undefined);
    },
    flush,
    writes: drafts.turn,
    write(comment) {
      drafts.put(`${id} ${placeKey(comment)}`, { id, comment });
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), PAUSE_MS);
    },
    show(place, isOpen) {
      const next = new Set(open.value);
      if (isOpen) next.add(placeKey(place));
      else next.delete(placeKey(place));
      open.value = next;
    },
    take(comments, asOf) {
      kept.value = { comments, asOf };
      open.value = new Set([...open.value, ...all.value.map(placeKey)]);
    },
  };
}

/** What the daemon had, and when that was asked. */
interface Kept {
  readonly comments: readonly Comment[];
  readonly asOf: number;
}
