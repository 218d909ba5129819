import { toAppError } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import type { Log } from "../core/log.ts";
import type { Texts } from "../texts/texts.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The same defect is reported once an hour, and no more than so many different ones. */
const MOST_REPORTED = 5;
/** So many in a minute, and what is left of the daemon does more harm than good. */
const MOST_A_MINUTE = 50;
const MOST_CHARS = 300;

/**
 * What becomes of an error that nobody caught: it is logged, the owner is told, and the daemon
 * goes on, for one part's defect must not take the others down; until they come in a flood.
 */
export function createDefects(options: {
  readonly log: Log;
  readonly tell: (text: string) => Promise<unknown>;
  readonly giveUp: () => void;
  readonly texts: Texts["defects"];
  readonly now: () => number;
}): (error: unknown) => void {
  const { log, tell, giveUp, texts, now } = options;
  const reported = new Map<string, number>();
  let recent: readonly number[] = [];
  let isLost = false;

  const say = (text: string) => void tell(text).catch(() => {}); // the log has it

  function isNews(message: string, at: number): boolean {
    for (const [each, reportedAt] of reported)
      if (at - reportedAt >= HOUR_MS) reported.delete(each);
    if (reported.has(message) || reported.size >= MOST_REPORTED) return false;
    reported.set(message, at);
    return true;
  }

  return (error) => {
    const at = now();
    const { code, message, cause } = toAppError(error);
    log("INTERNAL_ERROR", {
      code,
      message,
      stack: cause instanceof Error ? cause.stack : undefined,
    });
    if (isLost) return;
    recent = [...recent.filter((each) => at - each < MINUTE_MS), at];
    if (recent.length >= MOST_A_MINUTE) {
      isLost = true;
      say(texts.stops);
      giveUp();
    } else if (isNews(message, at)) {
      say(`${texts.goesOn}\n${code}: ${shorten(message, MOST_CHARS)}`);
    }
  };
}
