import { type Act, json, readAct } from "../../client/client.ts";

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
  /** False: it is read here alone. */
  readonly maySend: boolean;
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
  /** What it is that was shown beside messages, and of which plan, question, transaction or file. */
  readonly kind: string;
  readonly ref: string | undefined;
  readonly workspace: string | undefined;
  readonly actions: readonly Act[];
  /** Of a question, as it was when it was read. */
  readonly state: string | undefined;
  readonly sizeBytes: number | undefined;
}

/** A message or a press that is worked on, whoever said it. */
export interface Running {
  /** By which this page may have sent it. */
  readonly key: string | undefined;
  /** None for a press. */
  readonly said: string | undefined;
  readonly isOver: boolean;
  readonly documents: readonly unknown[];
}

/** A page of a conversation. */
export interface ChatPage {
  readonly chat: Chat;
  readonly messages: readonly Message[];
  readonly older: number | undefined;
  readonly running: readonly Running[];
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
  const { messages, older, running } = fields(value);
  return {
    chat: readChat(value),
    messages: list(messages).map(readMessage),
    older: maybe(older, number),
    running: list(running).map(readRunning),
  };
}

/**
 * Whether something that was sent from here is kept, or may be, while the end of its stream has not been
 * read: it would be shown twice.
 */
export function isKeptEarly(
  sent: ReadonlySet<string>,
  over: ReadonlySet<string>,
  running: readonly Pick<Running, "key">[],
): boolean {
  const runs = new Set(running.map(({ key }) => key));
  return [...sent].some((key) => !over.has(key) && !runs.has(key));
}

function readRunning(value: unknown): Running {
  const it = fields(value);
  return {
    key: maybe(it["work_id"], text),
    said: maybe(it["text"], text),
    isOver: it["over"] === true,
    documents: list(it["documents"]),
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
    maySend: it["may_send"] === true,
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
    kind: text(it["kind"]),
    ref: maybe(it["ref"], text),
    workspace: maybe(it["workspace"], text),
    actions: list(it["actions"]).map(readAct),
    state: maybe(it["state"], text),
    sizeBytes: maybe(it["size_bytes"], number),
  };
}
