import { isYes } from "../../../protocol/intent.ts";
import { toBlocks } from "../markdown-tree.ts";
import { refuse } from "../refuse.ts";
import type { ChatFacts } from "./facts.ts";

const PAGE = 50;
const MOST = 200;
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
  const limit = query.get("limit") ?? String(PAGE);
  if (!/^\d{1,3}$/u.test(limit) || Number(limit) < 1 || Number(limit) > MOST) return badPage();
  if (one === undefined) {
    const found = facts.list({ before, limit: Number(limit) });
    return found ? send(found) : badPage();
  }
  if (before !== undefined && !/^\d{1,15}$/u.test(before)) return badPage();
  const at = before === undefined ? undefined : Number(before);
  const found = facts.read(toName(one), { before: at, limit: Number(limit) });
  if (!found) return refuse(404, "there is no such conversation of yours");
  if (query.get("rendered") !== "true") return send(found);
  const messages = found.messages.map((each) =>
    each.role === "assistant" ? { ...each, blocks: toBlocks(each.text) } : each,
  );
  return send({ ...found, messages });
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
  return refuse(400, `"before" is the "older" of a page, "limit" 1 to ${MOST}`);
}

function send(found: Readonly<Record<string, unknown>>): Response {
  return Response.json({ ok: true, ...found }, { headers: { "cache-control": "no-store" } });
}

function toName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
