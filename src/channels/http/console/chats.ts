import { isYes } from "../../../protocol/intent.ts";
import { toBlocks } from "../markdown-tree.ts";
import { refuse } from "../refuse.ts";
import type { ChatFacts } from "./facts.ts";
import { decodePart, MOST_ON_PAGE, sendFound, toLimit } from "./found.ts";

const ONE = /^\/api\/chats\/([^/]{1,512})$/u;

/** Conversations and what was said in them; undefined: the path asks for nothing of them. */
export function readChats(
  facts: ChatFacts,
  path: string,
  query: URLSearchParams,
): Response | undefined {
  const [, one] = ONE.exec(path) ?? [];
  if (path !== "/api/chats" && one === undefined) return undefined;
  const before = query.get("before") ?? undefined;
  const limit = toLimit(query);
  if (limit === undefined) return badPage();
  if (one === undefined) {
    const found = facts.list({ before, limit });
    return found ? sendFound(found) : badPage();
  }
  if (before !== undefined && !/^\d{1,15}$/u.test(before)) return badPage();
  const at = before === undefined ? undefined : Number(before);
  const found = facts.read(decodePart(one), { before: at, limit });
  if (!found) return refuse(404, "there is no such conversation of yours");
  if (query.get("rendered") !== "true") return sendFound(found);
  const messages = found.messages.map((each) =>
    each.role === "assistant" ? { ...each, blocks: toBlocks(each.text) } : each,
  );
  return sendFound({ ...found, messages });
}

/**
 * Whether a message sets something, and so wants a browser that came in from this machine a moment
 * ago: a command with a setting, or a yes to what opens a gate.
 */
export function setsSomething(
  facts: Pick<ChatFacts, "waitsForGate">,
  sessionId: string,
  text: string,
) {
  const [, name = "", argument = ""] = /^\/(\S*)\s*(\S?)/u.exec(text.trim()) ?? [];
  const command = name.toLowerCase();
  const sets = Object.hasOwn(SETTING, command) ? SETTING[command] : undefined;
  if (sets !== undefined) return sets === "always" || argument !== "";
  return isYes(text) && facts.waitsForGate(sessionId);
}

/** Commands that set something; with nothing behind them most of them only show it. */
const SETTING: Readonly<Partial<Record<string, "always" | "with words">>> = {
  model: "with words",
  mode: "with words",
  routines: "with words",
  autouse: "with words",
  use: "always",
};

function badPage(): Response {
  return refuse(400, `"before" is the "older" of a page, "limit" 1 to ${MOST_ON_PAGE}`);
}
