import type { AgentEvent } from "../../channels/channel.ts";
import { errorMessage } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import type { Shown } from "../../store/sessions.ts";
import type { Texts } from "../../texts/texts.ts";
import type { AgentCore, Showing } from "../deps.ts";

/** Nobody comes back to it. */
const PASSING: ReadonlySet<AgentEvent["kind"]> = new Set([
  "progress",
  "check_output",
  "tool_call",
  "tool_result",
]);
/** Longer than that nobody reads it again; the whole is where it belongs. */
const MOST_CHARS = 100_000;

/** The words of a message; `ref`: the id by which it may be brought again. */
export interface Said {
  readonly text: string;
  readonly ref?: string;
}

/** What is brought again comes before much else is said: no message reads all of its conversation. */
const MOST_BEHIND = 1000;

/**
 * Begins with the words of a message; `isElsewhere`: it came by another channel than that of the
 * conversation, which does not show it. What is shown in a turn stands behind the round that showed
 * it. It is for people who come back: what cannot be kept is said in the log, and fails no work.
 */
export function openShowing(
  { sessions, clock, log }: Pick<AgentCore, "sessions" | "clock" | "log">,
  { sessionId, isElsewhere }: { readonly sessionId: string; readonly isElsewhere: boolean },
  texts: () => Texts,
  words?: Said,
): Showing {
  const said: Shown | undefined = words && { kind: "said", ...words };
  let waiting: Shown[] = said ? [said] : [];
  let isTurn = false;

  function keep(): void {
    const given = waiting;
    waiting = [];
    if (given.length === 0) return;
    try {
      const rows = given.filter((row) => row !== said || !isKeptBefore(row));
      sessions.show(sessionId, rows.map(toShort), clock.now());
    } catch (error) {
      log("SHOWN_NOT_KEPT", { error: errorMessage(error) });
    }
  }

  /** Brought again after a crash: its words stand there, among the newest. */
  function isKeptBefore({ ref }: Shown): boolean {
    const since = sessions.newest(sessionId) - MOST_BEHIND;
    return ref !== undefined && sessions.shownAs(sessionId, ref, since).length > 0;
  }

  function addText(text: string): void {
    const last = waiting.at(-1);
    if (last?.kind === "text") waiting.splice(-1, 1, { ...last, text: last.text + text });
    else waiting.push({ kind: "text", text });
  }

  return {
    async see(event) {
      if (event.kind === "done") return keep();
      if (isTurn && (event.kind === "content" || event.kind === "tool_call")) return keep();
      if (event.kind === "content") return addText(event.text);
      if (PASSING.has(event.kind)) return;
      const { toShown } = await import("./to-shown.ts"); // most messages show nothing of it
      const shown = toShown(event, texts());
      if (!shown) return;
      waiting.push(isElsewhere ? { ...shown, elsewhere: true } : shown);
      if (!isTurn) keep();
    },
    begin: keep,
    inTurn(hasWords) {
      isTurn = true;
      if (hasWords) waiting = waiting.filter((each) => each !== said);
    },
  };
}

function toShort(row: Shown): Shown {
  return { ...row, text: shorten(row.text, MOST_CHARS) };
}
