import type { Command } from "./keys.ts";

/** Answers: a letter of a word that is typed where no box has the focus is none. */
const ANSWERS: ReadonlySet<Command> = new Set(["approve", "reject"]);
/** Who goes through a list and answers types no word. */
const STEPS: ReadonlySet<Command> = new Set(["next", "previous", "nextChange", "previousChange"]);
/** Letters of a word follow each other sooner than this. */
const BEFORE_MS = 600;
/** So long it is waited whether another letter follows. */
const AFTER_MS = 300;

/** A key, and what it is for. */
export interface TypedKey {
  readonly at: number;
  /** It writes a sign where there is a box. */
  readonly isSign: boolean;
  readonly command: Command | undefined;
}

/** Timers of the browser; tests hand in others. */
export interface TypingTimers {
  start(run: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

/** Tells an answer by a key from a word. */
export interface Typing {
  /** A key that was pressed: its command is run now, in a moment, or never. */
  press(key: TypedKey, run: (() => void) | undefined, hurried: () => void): void;
  /** What waits is not answered any more. */
  stop(): void;
}

/**
 * Runs commands of keys. A yes or a no counts when it stands alone: behind no other sign, and before
 * none. Everything else is run at once.
 */
export function createTyping(timers: TypingTimers): Typing {
  let lastSignAt = -Infinity;
  let lastHurried: Command | undefined;
  let waiting: { readonly command: Command; readonly timer: unknown } | undefined;
  const stop = () => {
    if (waiting) timers.clear(waiting.timer);
    waiting = undefined;
  };
  return {
    press({ at, isSign, command }, run, hurried) {
      const isBehind = at - lastSignAt < BEFORE_MS;
      const isAnswer = run !== undefined && command !== undefined && ANSWERS.has(command);
      // Within a word a step is a letter of it.
      const isStep = run !== undefined && command !== undefined && STEPS.has(command) && !isBehind;
      // Who presses it again because it came too soon is not kept waiting by that.
      const isAgain = isAnswer && command === lastHurried;
      if (isSign && !isStep && !isAgain) lastSignAt = at;
      // The same once more is no second answer: it waits anew.
      const isSame = isAnswer && waiting?.command === command;
      lastHurried = isAnswer && isBehind && !isSame ? command : undefined;
      if (isSign || run) stop();
      if (!isAnswer) return run?.();
      if (isBehind && !isSame) return hurried();
      const timer = timers.start(() => {
        waiting = undefined;
        run();
      }, AFTER_MS);
      waiting = { command, timer };
    },
    stop,
  };
}
