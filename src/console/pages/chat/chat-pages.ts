import type { ChatPage } from "./wire.ts";

/** What was known with what is newer; where something is missing between them, that alone. */
export function joined(known: ChatPage, found: ChatPage): Pick<ChatPage, "messages" | "older"> {
  const [first] = found.messages;
  if (!first) return known;
  const before = known.messages.filter(({ id }) => id < first.id);
  const isGap = found.older !== undefined && before.length === known.messages.length;
  return isGap ? found : { messages: [...before, ...found.messages], older: known.older };
}

/** Whether saying something there begins one: by the names that `POST /api/chat` takes. */
export function canBegin(id: string): boolean {
  return /^http:[\w.:-]{1,64}$/u.test(id);
}

/** One that was begun on this page: nothing of it is from before. */
export function toBegun(id: string): ChatPage {
  const chat = { id, channel: "http", title: "", at: 0, workspace: undefined, maySend: true };
  return { chat, messages: [], older: undefined, running: [] };
}
