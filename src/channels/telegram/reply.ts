import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { escapeHtml } from "./html.ts";
import { type Message, textMessage } from "./message.ts";
import { renderEvent } from "./render-event.ts";
import type { Redact } from "./show.ts";

/** Turns the events of one turn into messages. */
export interface Reply {
  show(event: AgentEvent): void;
  /** Posts the text gathered so far; for the end of the turn. */
  flush(): void;
}

/**
 * Gathers streamed text and posts it whole: before anything else that is shown, and at the end.
 * `busy` is called while work goes on and nothing is shown yet.
 */
export function createReply(options: {
  readonly post: (message: Message) => void;
  readonly busy: () => void;
  readonly texts: Texts;
  readonly redact: Redact;
}): Reply {
  let text = "";

  function flush(): void {
    if (text !== "") options.post(textMessage(escapeHtml(options.redact(text))));
    text = "";
  }

  return {
    flush,
    show(event) {
      switch (event.kind) {
        case "content":
          text += event.text;
          return options.busy();
        case "progress":
        case "tool_call":
        case "tool_result":
          return options.busy();
        case "plan":
        case "research":
        case "approval":
        case "call_approval":
        case "call_result":
        case "outcome":
        case "error":
          flush();
          renderEvent(event, options.texts, options.redact).forEach(options.post);
          return;
        case "done":
          return;
        default:
          event satisfies never;
      }
    },
  };
}
