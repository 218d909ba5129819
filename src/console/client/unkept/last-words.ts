import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { LinkState } from "../follow.ts";
import { messageOf, RefusedError } from "../refused.ts";

/** What was said last of one thing, until the daemon has it and after that. */
export interface Said<Word> {
  readonly word: Word;
  /** Why it could not be kept. */
  readonly error: unknown;
  /** The daemon was there and would not have it. */
  readonly isRefused: boolean;
  /** The turn at which it was kept; not yet: none is later. */
  readonly keptAt: number;
  /** It is not sent before what was said under this key is kept. */
  readonly after?: string | undefined;
}

/** The last word of a person on each of many things: what the daemon cannot keep now waits until it can. */
export interface LastWords<Word> {
  readonly said: ReadonlySignal<ReadonlyMap<string, Said<Word>>>;
  /** Grows with each word and with each that is kept. */
  readonly turn: () => number;
  /** Says it; it is sent with the next flush, not before what was said under the key `after` is kept. */
  put(key: string, word: Word, after?: string): void;
  /** It is as if another had been said last, or none. */
  takeBack(key: string, before: Said<Word> | undefined): void;
  /** Sends what is not kept, one after another. */
  flush(): Promise<void>;
  /** What is not kept, also where it was refused. */
  readonly left: () => readonly Said<Word>[];
}

/** What is sent, and how. */
export interface Sending<Word> {
  /** Gives up at the signal: others wait behind it. */
  readonly send: (word: Word, signal: AbortSignal) => Promise<unknown>;
  /** Somebody wants it gone, as a text that was emptied: of what is refused nothing is left then. */
  readonly isNothing?: (word: Word) => boolean;
  /** So long one of them is waited for. */
  readonly mostMs?: number;
}

/** Nobody waits longer for a few words to be kept. */
const MOST_MS = 20_000;
/** Where the link is live all the same, so long until it is tried again. */
const AGAIN_MS = 5000;

/** Answers of a daemon that may have it later: it is full, or does not know who asks any more. */
const FOR_LATER: ReadonlySet<number> = new Set([401, 408, 429]);

/** Nothing was said; what waits is sent as soon as the link is live. */
export function createLastWords<Word>(
  link: ReadonlySignal<LinkState>,
  { send, isNothing = () => false, mostMs = MOST_MS }: Sending<Word>,
): LastWords<Word> {
  const said = signal<ReadonlyMap<string, Said<Word>>>(new Map());
  let turn = 0;
  let keeping = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const set = (key: string, next: Said<Word>) => (said.value = new Map(said.value).set(key, next));
  const left = () =>
    [...said.peek()].filter(([, { keptAt }]) => keptAt === Number.POSITIVE_INFINITY);

  /** While nobody answers, once is enough to know it; what was refused is refused until it is another. */
  const isVain = ({ error, isRefused }: Said<Word>) =>
    isRefused || (error !== undefined && link.peek() !== "live");

  const isHeld = ({ after }: Said<Word>) =>
    after !== undefined && said.peek().get(after)?.keptAt === Number.POSITIVE_INFINITY;

  async function keep(): Promise<void> {
    // What waits for another word is sent in a round behind it.
    for (let round = left(); round.length > 0; ) {
      const [free, held] = [false, true].map((is) => round.filter(([, at]) => isHeld(at) === is));
      await keepEach(free ?? []);
      const isLast = free?.length === 0;
      round = isLast ? [] : (held ?? []).filter(([key, at]) => said.peek().get(key) === at);
    }
    // Who is signed out is sent for by the next sign-in.
    const isForLater = left().some(
      ([, each]) => !each.isRefused && !isHeld(each) && !isSignedOut(each.error),
    );
    if (isForLater && link.peek() === "live") timer ??= setTimeout(() => void flush(), AGAIN_MS);
  }

  async function keepEach(words: ReturnType<typeof left>): Promise<void> {
    for (const [key, waiting] of words) {
      if (isVain(waiting)) continue;
      const { word } = waiting;
      const ended = await send(word, AbortSignal.timeout(mostMs)).then(
        () => ({ error: undefined, isRefused: false, keptAt: ++turn }),
        (error: unknown) => ({
          error,
          isRefused:
            error instanceof RefusedError && error.status < 500 && !FOR_LATER.has(error.status),
          keptAt: Number.POSITIVE_INFINITY,
        }),
      );
      // Another word may have been said meanwhile.
      if (said.peek().get(key)?.word !== word) continue;
      if (ended.isRefused && isNothing(word)) takeBack(key, undefined);
      else set(key, { word, ...ended });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    keeping = keeping.then(keep);
    return keeping;
  }

  function takeBack(key: string, before: Said<Word> | undefined): void {
    const next = new Map(said.peek());
    if (before) next.set(key, before);
    else next.delete(key);
    said.value = next;
  }

  effect(() => {
    if (link.value === "live") void flush();
  });
  return {
    said,
    turn: () => turn,
    flush,
    left: () => left().map(([, each]) => each),
    put(key, word, after) {
      turn += 1;
      // Until it is known whether this one is kept, what is told of the one before stands.
      const error = said.peek().get(key)?.error;
      set(key, { word, error, isRefused: false, keptAt: Number.POSITIVE_INFINITY, after });
    },
    takeBack,
  };
}

/** Why some of what was said is not kept, be it refused or tried again later. */
export function whyNotKept<Word>(
  { said }: Pick<LastWords<Word>, "said">,
  isAbout: (word: Word) => boolean,
): string | undefined {
  const failed = [...said.value.values()].find(
    ({ word, error }) => error !== undefined && isAbout(word),
  );
  return failed && messageOf(failed.error);
}

function isSignedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401;
}
