import type { Texts } from "../../../../texts/texts.ts";
import { toBlocks } from "../../markdown-tree.ts";
import { misuse, refuse } from "../../refuse.ts";
import type { ChatEntry, ChatFacts } from "../chat-facts.ts";
import { decodePart, MOST_ON_PAGE, sendFound, toLimit } from "../found.ts";
import type { Downloads } from "./downloads.ts";
import { toRunningDocuments } from "./running-documents.ts";

export { authorizeMessage } from "./authorize-message.ts";
export { createDownloads } from "./downloads.ts";
export { createUploads } from "./uploads.ts";

const ONE = /^\/api\/chats\/([^/]{1,512})$/u;
const FILE = /^\/api\/chats\/([^/]{1,512})\/files\/(\w{1,64})$/u;

/** Conversations and what was said in them; undefined: the path asks for nothing of them. */
export async function readChats(
  facts: ChatFacts,
  path: string,
  query: URLSearchParams,
  { texts, isAway, downloads }: How,
): Promise<Response | undefined> {
  const [, of, fileId] = FILE.exec(path) ?? [];
  if (of !== undefined && fileId !== undefined) {
    if (isAway) return refuse(403, (say) => say.filesGivenThere);
    return downloads.give(() => facts.sentFile(decodePart(of), fileId));
  }
  const [, one] = ONE.exec(path) ?? [];
  if (path !== "/api/chats" && one === undefined) return undefined;
  const before = query.get("before") ?? undefined;
  const limit = toLimit(query);
  if (limit === undefined) return badPage();
  if (one === undefined) {
    const found = facts.list({ before, limit });
    if (!found) return badPage();
    return sendFound({ ...found, chats: found.chats.map((each) => toSeen(each, isAway)) });
  }
  if (before !== undefined && !/^\d{1,15}$/u.test(before)) return badPage();
  const at = before === undefined ? undefined : Number(before);
  const newer = query.get("after");
  if (newer !== null && !/^\d{1,15}$/u.test(newer)) return badPage();
  const after = newer === null ? undefined : Number(newer);
  const read = facts.read(decodePart(one), { before: at, after, limit });
  if (!read) return refuse(404, (say) => say.noConversation);
  const isRendered = query.get("rendered") === "true";
  const running = read.running.map(({ events, ...work }) => ({
    ...work,
    documents: toRunningDocuments(events, texts(), isRendered),
  }));
  const found = { ...toSeen(read, isAway), running };
  if (!isRendered) return sendFound(found);
  const messages = found.messages.map((each) =>
    each.role === "assistant" || isProse(each) ? { ...each, blocks: toBlocks(each.text) } : each,
  );
  return sendFound({ ...found, messages });
}

/** How it is read; `isAway`: by the public host. */
interface How {
  readonly texts: () => Texts;
  readonly isAway: boolean;
  readonly downloads: Downloads;
}

/** From afar nothing is said where other channels speak. */
function toSeen<T extends Readonly<Record<string, unknown>>>(chat: T, isAway: boolean): T {
  return isAway && chat["channel"] !== "http" ? { ...chat, may_send: false } : chat;
}

function isProse({ role, kind }: ChatEntry): boolean {
  return role === "shown" && PROSE.has(String(kind));
}

/** What of it is Markdown. */
const PROSE: ReadonlySet<string> = new Set(["text", "plan", "change_set", "choice"]);

function badPage(): Response {
  return misuse(400, `"before" is the "older" of a page, "limit" 1 to ${MOST_ON_PAGE}`);
}
