import { errorMessage } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";

/** The answers that a channel is giving, for a stop that lets them end. */
export interface Answers {
  /** Keeps an answer until it is given; the promise resolves then, and never rejects. */
  track(answer: Promise<unknown>): Promise<void>;
  /** Resolves when all that are tracked now are given, or when the signal is aborted. */
  settled(patience: AbortSignal): Promise<void>;
}

/**
 * @param failed is called with the reason why an answer was not given, for the log; not for one that a
 * stop gave up: what it works with is closed by then, which is no news
 */
export function createAnswers(failed: (error: string) => void): Answers {
  const answers = new Map<{ isGivenUp: boolean }, Promise<void>>();
  return {
    track(answer) {
      const state = { isGivenUp: false };
      const given = answer
        .then(
          () => {},
          (error: unknown) => (state.isGivenUp ? undefined : failed(errorMessage(error))),
        )
        .finally(() => answers.delete(state));
      answers.set(state, given);
      return given;
    },
    async settled(patience) {
      await Promise.race([Promise.all(answers.values()), untilAborted(patience)]);
      if (!patience.aborted) return;
      for (const state of answers.keys()) state.isGivenUp = true;
    },
  };
}
