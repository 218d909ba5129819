import type { AgentEvent } from "../../channel.ts";
import { renderEvent, toProgressText } from "../render/render.ts";
import { createGrowingText, type TextTarget } from "./growing-text.ts";

/** How often it is looked whether there is something new to show. */
const LOOK_MS = 250;

/** Turns the events of one turn into messages. */
export interface Reply extends Disposable {
  show(event: AgentEvent): void;
  /** Shows the whole text; for the end of the turn. */
  finish(): void;
}

/**
 * Shows streamed text while it grows, at the pace of a reader, with a line below about what is
 * being done; and whole before anything else is shown, and at the end. `busy` is called again and
 * again until the reply is disposed of, or `signal` ends.
 */
export function createReply(
  target: TextTarget,
  {
    busy,
    ready,
    signal: ending,
  }: {
    readonly busy: () => void;
    readonly signal: AbortSignal;
    /** Waits until what is shown can be stored. */
    readonly ready: () => Promise<void> | undefined;
  },
): Reply {
  const { redact, post, texts, clock } = target;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ending]);
  const text = createGrowingText(target);

  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      busy();
      await ready();
      if (!signal.aborted) text.look();
    }
  }

  busy();
  // Only the growing ends with it: the whole text is shown all the same.
  watch().catch(() => undefined);
  return {
    finish() {
      text.flush();
      text.withdrawRest();
    },
    [Symbol.dispose]: () => over.abort(),
    show(event) {
      switch (event.kind) {
        case "content":
          return text.add(event.text);
        case "progress":
        case "tool_call":
          return text.note(toProgressText(event, redact));
        case "tool_result":
        case "done":
          return;
        case "plan":
        case "research":
        case "approval":
        case "call_approval":
        case "call_result":
        case "file":
        case "outcome":
        case "choice":
        case "error":
          text.flush();
          return renderEvent(event, texts(), redact).forEach(post);
        default:
          event satisfies never;
      }
    },
  };
}
