import type { OptionalPart } from "./capabilities.ts";
import type { Aside, ChatMessage } from "./provider.ts";

/** Who gets a request. */
export interface Recipient {
  /** Of the provider, in the configuration. */
  readonly name: string;
  readonly model: string;
  /** What it is known to refuse. */
  readonly refused: ReadonlySet<OptionalPart>;
}

/** Characters of asides in one request. */
const MOST_CHARS = 128 * 1024;

/** A conversation as one provider and model gets it: with the asides that go back to it, and no others. */
export function withOwnAsides(
  messages: readonly ChatMessage[],
  { name, model, refused }: Recipient,
): readonly ChatMessage[] {
  const isOwn = (aside: Aside) =>
    !refused.has("asides") && aside.provider === name && aside.model === model;
  const own = messages.map((message) =>
    hasAside(message) && !isOwn(message.aside) ? withAside(message) : message,
  );
  return boundAsides(own, MOST_CHARS);
}

/** The same conversation with the newest asides of each sender, `mostChars` of each; every part is whole or gone. */
export function boundAsides(
  messages: readonly ChatMessage[],
  mostChars: number,
): readonly ChatMessage[] {
  if (!messages.some(hasAside)) return messages;
  const left = new Map<string, number>();
  const bound = (message: ChatMessage) => {
    if (!hasAside(message)) return message;
    const { provider, model, thoughts = "", details = "", ofCalls = {} } = message.aside;
    const sender = JSON.stringify([provider, model]);
    const fits = ({ length }: string) => {
      const rest = (left.get(sender) ?? mostChars) - length;
      if (rest >= 0) left.set(sender, rest);
      return length > 0 && rest >= 0;
    };
    // What is opaque is missed more than words: those come behind it.
    const kept = Object.entries(ofCalls).filter(([, json]) => fits(json));
    const parts = {
      ...(fits(details) && { details }),
      ...(kept.length > 0 && { ofCalls: Object.fromEntries(kept) }),
      ...(fits(thoughts) && { thoughts }),
    };
    return withAside(
      message,
      Object.keys(parts).length > 0 ? { provider, model, ...parts } : undefined,
    );
  };
  return messages.toReversed().map(bound).toReversed();
}

type WithAside = Extract<ChatMessage, { role: "assistant" }> & { readonly aside: Aside };

function hasAside(message: ChatMessage): message is WithAside {
  return message.role === "assistant" && message.aside !== undefined;
}

function withAside({ aside: _other, ...message }: WithAside, aside?: Aside): ChatMessage {
  return aside ? { ...message, aside } : message;
}
