import { errorMessage } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";

/** The answers that a channel is giving, for a stop that lets them end. */
export interface Answers {
  /** Keeps an answer until it is given; the promise resolves then, and never rejects. */
  track(answer: Promise<unknown>): Promise<void>;
  /** Resolves when all that are tracked now are given, or when the signal is aborted. */
  settled(patience: AbortSignal): Promise<void>;
}

/** @param failed is called with the reason why an answer was not given, for the log */
export function createAnswers(failed: (error: string) => void): Answers {
  const answers = new Set<Promise<void>>();
  return {
    track(answer) {
      const given = answer
        .then(
          () => {},
          (error: unknown) => failed(errorMessage(error)),
        )
        .finally(() => answers.delete(given));
      answers.add(given);
      return given;
    },
    settled: (patience) =>
      Promise.race([Promise.all(answers).then(() => {}), untilAborted(patience)]),
  };
}
