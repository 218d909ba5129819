import { json } from "../../client/client.ts";

/** A piece of an answer, as the daemon read it: words, or a node with what is in it. */
export type Block =
  | string
  | {
      readonly kind: string;
      readonly of: readonly Block[];
      readonly level: number;
      readonly start: number;
      readonly checked: boolean | undefined;
      readonly href: string;
    };

/** A conversation in the list. */
export interface Chat {
  readonly id: string;
  readonly channel: string;
  readonly title: string;
  readonly at: number;
  readonly workspace: string | undefined;
  /** What sends to it; undefined: it goes on elsewhere. */
  readonly sendAs: string | undefined;
}

/** A call of a tool. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** A message as it is kept. */
export interface Message {
  readonly id: number;
  readonly role: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly calls: readonly Call[];
  readonly callId: string | undefined;
}

/** A page of a conversation. */
export interface ChatPage {
  readonly chat: Chat;
  readonly messages: readonly Message[];
  readonly older: number | undefined;
}

const { fields, list, text, number, time, maybe } = json;

/** What is deeper stands as words in the last of them. */
const MOST_DEEP = 40;

/** Reads what `GET /api/chats` gives. */
export function readChats(value: unknown): { chats: readonly Chat[]; older: string | undefined } {
  const { chats, older } = fields(value);
  return { chats: list(chats).map(readChat), older: maybe(older, text) };
}

/** Reads what `GET /api/chats/ID` gives. */
export function readChatPage(value: unknown): ChatPage {
  const { messages, older } = fields(value);
  return {
    chat: readChat(value),
    messages: list(messages).map(readMessage),
    older: maybe(older, number),
  };
}

/** The words of blocks, however deep they are, without a call for each level. */
function wordsIn(value: unknown): readonly string[] {
  const words: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") words.push(`${next} `);
    else if (Array.isArray(next)) left.push(...list(next).toReversed());
    else if (fields(next)["of"] !== undefined) left.push(fields(next)["of"]);
  }
  return words;
}

/** Reads blocks, whatever they are. */
export function readBlocks(value: unknown, deep = 0): readonly Block[] {
  if (deep > MOST_DEEP) return wordsIn(value);
  return list(value).map((each) => {
    if (typeof each === "string") return each;
    const it = fields(each);
    return {
      kind: text(it["kind"]),
      of: readBlocks(it["of"], deep + 1),
      level: number(it["level"]),
      start: number(it["start"]),
      checked: maybe(it["checked"], (is) => is === true),
      href: text(it["href"]),
    };
  });
}

/** Reads calls of a stream or of a kept message. */
export function readCalls(value: unknown): readonly Call[] {
  return list(value).map((each) => {
    const it = fields(each);
    return { id: text(it["id"]), name: text(it["name"]), args: text(it["arguments"]) };
  });
}

function readChat(value: unknown): Chat {
  const it = fields(value);
  return {
    id: text(it["id"]),
    channel: text(it["channel"]),
    title: text(it["title"]),
    at: time(it["at"]) ?? 0,
    workspace: maybe(it["workspace"], text),
    sendAs: maybe(it["send_as"], text),
  };
}

function readMessage(value: unknown): Message {
  const it = fields(value);
  return {
    id: number(it["id"]),
    role: text(it["role"]),
    text: text(it["text"]),
    blocks: readBlocks(it["blocks"]),
    calls: readCalls(it["tool_calls"]),
    callId: maybe(it["tool_call_id"], text),
  };
}
