import type { AgentEvent, Channel, Conversation } from "../../channels/channel.ts";
import { toFailureText } from "../../channels/failure-lines.ts";
import type { Texts } from "../../texts/texts.ts";

/** Who is told of what was answered elsewhere. */
export interface Phone {
  readonly deliver: Channel["deliver"];
  readonly texts: () => Texts;
}

/**
 * Presses in a conversation of the phone, from elsewhere, and tells it there as well: what was asked
 * on the phone is answered, and what is asked next has its buttons there, too.
 */
export async function pressForPhone(
  conversation: Conversation,
  { deliver, texts }: Phone,
  ...[speaker, press, emit, origin]: Parameters<Conversation["press"]>
): Promise<void> {
  const events: AgentEvent[] = [];
  const keep = (event: AgentEvent) => {
    events.push(event);
    return emit(event);
  };
  try {
    await conversation.press(speaker, press, keep, origin);
  } finally {
    if (!events.some(isRefused)) await tell();
  }

  async function tell(): Promise<void> {
    const said = events.map((event) => toText(event, texts())).filter((text) => text !== "");
    const head = [texts().console.answered, ...(press.said === undefined ? [] : [press.said])];
    await deliver([head.join(" "), ...said].join("\n"), events);
  }
}

/** Tells the phone what is said in its conversation from elsewhere, and what comes of it. */
export interface Telling {
  /** The words, before anything is done for them. */
  begin(): Promise<void>;
  /** A question at once, since it can be answered there as well. */
  hear(event: AgentEvent): Promise<void>;
  end(): Promise<void>;
}

/** A message of its own for the words, and others for what comes of them. */
export function openTelling({ deliver, texts }: Phone, words: string): Telling {
  let text = "";
  let events: AgentEvent[] = [];
  async function tell(): Promise<void> {
    const [told, shown] = [text.trim(), events];
    text = "";
    events = [];
    if (told !== "" || shown.length > 0) await deliver(told, shown);
  }
  return {
    begin: async () => void (await deliver(`${texts().console.said} ${words}`)),
    async hear(event) {
      if (event.kind === "content") text += event.text;
      else if (event.kind === "error") text += `\n${toFailureText(event, texts(), "owner")}`;
      else events.push(event);
      if (QUESTIONS.has(event.kind)) await tell();
    },
    end: tell,
  };
}

const QUESTIONS: ReadonlySet<AgentEvent["kind"]> = new Set([
  "approval",
  "call_approval",
  "plan",
  "choice",
]);

/** It did not count: nothing happened that the phone does not know. */
function isRefused(event: AgentEvent): boolean {
  return event.kind === "error" && event.code === "APPROVAL_INVALID";
}

/** What has no message of its own there. */
function toText(event: AgentEvent, texts: Texts): string {
  if (event.kind === "content") return event.text.trim();
  return event.kind === "error" ? toFailureText(event, texts, "owner") : "";
}
