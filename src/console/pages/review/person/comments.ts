import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { SAID_BOUNDS } from "../../../../core/guards.ts";
import { type Comment, type Drafted, type LastWords, whyNotKept } from "../../../client/client.ts";
import { joinRanges, type Place, placeKey, toPlace } from "./ranges.ts";

/** Somebody who writes pauses for so long before it is kept. */
const PAUSE_MS = 500;
/** The daemon takes no more of one comment. */
export const MOST_CHARS = SAID_BOUNDS.chars;

/** A box that is open. */
export interface OpenBox {
  readonly place: Place;
  /** It stands below this line, and stays there while its lines become others. */
  readonly below: number | undefined;
}

/** What was written of a change set and is not kept. */
export interface NotKept {
  /** Why. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** What the daemon would not have: its words are here alone. */
  readonly refused: ReadonlySignal<readonly Comment[]>;
  /** Lets them go. */
  dropRefused(): void;
}

/** What is about to be said of a change set, place by place; the daemon keeps it at each pause. */
export interface Comments extends NotKept {
  /** All that say something, in the order in which they were begun. */
  readonly all: ReadonlySignal<readonly Comment[]>;
  /** Where a box is open, by {@link placeKey}. */
  readonly open: ReadonlySignal<ReadonlyMap<string, OpenBox>>;
  /** Of the box that is to have the focus as soon as it is there. */
  wanted: string | undefined;
  write(comment: Comment): void;
  /** The box there is under somebody's hands: its words stay, whatever another window has meanwhile. */
  hold(place: Place): void;
  /** It is not any more; where another window has other words it goes on to show its own. */
  release(place: Place): void;
  /** Where a box that keeps its words has others in another window, by {@link placeKey}. */
  readonly elsewhere: ReadonlySignal<ReadonlySet<string>>;
  /** Shows those of the other window in the place of its own. */
  takeThose(place: Place): void;
  show(place: Place, isOpen: boolean): void;
  /**
   * What is about to be said of some lines is about others. Words of two comments that begin at the
   * same line then stand below each other: there is one for each. False, and both are as they were,
   * where one of them is what the lines are to be, or both together are more than can be kept.
   */
  extend(from: Place, to: Place, below?: number): boolean;
  /** How far what is written and kept has come. */
  readonly writes: () => number;
  /** What the daemon had when so much was written: what was not kept by then stands above it. */
  take(kept: readonly Comment[], writes: number): void;
  /** Keeps what waits for a pause. */
  flush(): Promise<void>;
}

/** What of the words about a change set is not kept. */
export function notKeptOf(drafts: LastWords<Drafted>, id: string): NotKept {
  const refused = computed(() =>
    [...drafts.said.value.values()].flatMap(({ word, isRefused }) =>
      word.id === id && isRefused ? [word.comment] : [],
    ),
  );
  return {
    failure: computed(() => whyNotKept(drafts, (word) => word.id === id)),
    refused,
    dropRefused() {
      for (const comment of refused.peek())
        drafts.takeBack(`${id} ${placeKey(comment)}`, undefined);
    },
  };
}

/** The comments of one change set: what the daemon has, and below it what it may not have yet. */
export function createComments(drafts: LastWords<Drafted>, id: string): Comments {
  const kept = signal<Kept>({ comments: [], asOf: drafts.turn() });
  /** What the daemon has, and above it what it may not have yet. */
  const known = computed(() => {
    const { comments, asOf } = kept.value;
    const found = new Map(comments.map((comment) => [placeKey(comment), comment]));
    for (const { word, keptAt } of drafts.said.value.values()) {
      if (word.id === id && keptAt > asOf) found.set(placeKey(word.comment), word.comment);
    }
    return found;
  });
  /** The words of boxes that keep them. */
  const held = signal<ReadonlyMap<string, Comment>>(new Map());
  let inHands: string | undefined;
  const all = computed(() =>
    [...new Map([...known.value, ...held.value]).values()].filter(({ text }) => text !== ""),
  );
  const elsewhere = computed(
    () =>
      new Set(
        [...held.value].flatMap(([key, own]) => (isSame(own, known.value.get(key)) ? [] : [key])),
      ),
  );
  const open = signal<ReadonlyMap<string, OpenBox>>(new Map());
  openAll();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A box for all that is kept; one that is open stays where it is. */
  function openAll(): void {
    const next = new Map(open.peek());
    for (const comment of all.value) {
      const place = toPlace(comment);
      const below = next.get(placeKey(place))?.below ?? place.to ?? place.line;
      next.set(placeKey(place), { place, below });
    }
    open.value = next;
  }

  function letGo(key: string): void {
    const next = new Map(held.peek());
    if (next.delete(key)) held.value = next;
  }

  function write(comment: Comment, after?: Place): void {
    const keyOf = (place: Place) => `${id} ${placeKey(place)}`;
    const key = placeKey(comment);
    if (held.peek().has(key)) held.value = new Map(held.peek()).set(key, comment);
    drafts.put(keyOf(comment), { id, comment }, after && keyOf(after));
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), PAUSE_MS);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return drafts.flush();
  }

  /** Words that stand for lines are not words about them; what is too long would be refused. */
  function canJoin(own: Comment | undefined, others: Comment | undefined): boolean {
    if (own?.instead || others?.instead) return false;
    if (!own || !others) return true;
    const added = own.text.length + 1;
    const sum = all.value.reduce((chars, { text }) => chars + text.length, added);
    return others.text.length + added <= MOST_CHARS && sum <= SAID_BOUNDS.charsOfAll;
  }

  return {
    all,
    open,
    wanted: undefined,
    ...notKeptOf(drafts, id),
    flush,
    writes: drafts.turn,
    write: (comment) => write(comment),
    elsewhere,
    hold(place) {
      const key = placeKey(place);
      inHands = key;
      if (held.peek().has(key)) return;
      const own = known.peek().get(key) ?? { ...toPlace(place), text: "" };
      held.value = new Map(held.peek()).set(key, own);
    },
    release(place) {
      const key = placeKey(place);
      if (inHands === key) inHands = undefined;
      if (!elsewhere.peek().has(key)) letGo(key);
    },
    takeThose: (place) => letGo(placeKey(place)),
    show(place, isOpen) {
      const next = new Map(open.value);
      const key = placeKey(place);
      if (!isOpen) next.delete(key);
      else if (!next.has(key)) next.set(key, { place, below: place.to ?? place.line });
      open.value = next;
    },
    extend(from, to, below) {
      const [key, nextKey] = [placeKey(from), placeKey(to)];
      const box = open.value.get(key);
      const other = key === nextKey ? undefined : open.value.get(nextKey);
      const place = other ? joinRanges(to, other.place) : to;
      const [own, others] = [key, nextKey].map((each) =>
        all.value.find((comment) => placeKey(comment) === each),
      );
      if (other && !canJoin(own, others)) return false;
      const next = new Map(open.value);
      next.delete(key);
      next.set(nextKey, { place, below: below ?? box?.below });
      open.value = next;
      if (key !== nextKey) letGo(key);
      if (!own) {
        if (other && others) write({ ...others, ...place });
        return true;
      }
      const isJoined = key !== nextKey && others !== undefined;
      const text = isJoined ? `${others.text}\n${own.text}` : own.text;
      write({ ...place, text, ...(own.instead && !isJoined && { instead: true }) });
      // Of two that are one the words stand twice until that one is kept: none is lost on the way.
      if (key !== nextKey) write({ ...from, text: "" }, isJoined ? place : undefined);
      return true;
    },
    take(comments, asOf) {
      kept.value = { comments, asOf };
      for (const key of held.peek().keys())
        if (key !== inHands && !elsewhere.peek().has(key)) letGo(key);
      openAll();
    },
  };
}

/** Whether both say the same of a place; to say nothing is to have no comment. */
function isSame(one: Comment, other: Comment | undefined): boolean {
  return one.text === (other?.text ?? "") && one.to === (other ?? one).to;
}

/** What the daemon had, and when that was asked. */
interface Kept {
  readonly comments: readonly Comment[];
  readonly asOf: number;
}
