import { createHash } from "node:crypto";
import { maskTexts } from "../../agent/session/session.ts";
import type { ChatEntry, ChatFacts } from "../../channels/http/http-channel.ts";
import { shorten } from "../../core/cut-text.ts";
import { toPrintableText, toVisibleText } from "../../core/visible-text.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import type { Conversation, KeptMessage } from "../../store/sessions.ts";
import type { App } from "../app/app.ts";
import type { Viewer } from "./viewer.ts";

type Document = Readonly<Record<string, unknown>>;

const HTTP = "http:";
const TITLE_CHARS = 120;
/** Of one text, and of a page of them; with more of it a page ends sooner. */
const MOST_TEXT_CHARS = 100_000;
const MOST_PAGE_CHARS = 1_000_000;
/** What `POST /api/chat` takes for a session. */
const SENDABLE = /^[\w.:-]{1,64}$/u;

/** Tools that set something which holds from then on. */
export const GATES: ReadonlySet<string> = new Set(["config", "routine"]);

/** Conversations of whoever looks: of this API and the console, of terminals, and of their phone. */
export function createChats(
  app: Pick<App, "current" | "state" | "clock">,
  viewer: Viewer,
): ChatFacts {
  const plans = createPlanStore(app.state.store);
  const core = () => app.current.agent.core;
  const mask = <T>(document: T): T => maskTexts(document, core().redact);

  function all(): readonly Conversation[] {
    const { sessions } = core();
    return viewer
      .starts()
      .flatMap((start) => sessions.below(start))
      .filter(({ sessionId }) => viewer.isOwnSession(sessionId))
      .toSorted((a, b) => b.at - a.at || (a.sessionId < b.sessionId ? 1 : -1));
  }

  function describe(sessionId: string): Document {
    const { sessions } = core();
    const { workspace, planId } = sessions.state(sessionId);
    const id = viewer.toShown(sessionId);
    const [channel = ""] = id.split(":", 1);
    const name = id.slice(HTTP.length);
    const isSendable = SENDABLE.test(name) && core().redact(name) === name;
    const sendAs = channel === "http" && isSendable ? name : undefined;
    const first = sessions.first(sessionId);
    const goal = planId === undefined ? undefined : plans.loadPlan(planId)?.goal;
    return {
      id,
      channel,
      title: toTitle(first?.role === "user" ? first.content : (goal ?? "")),
      ...(workspace !== undefined && { workspace }),
      ...(sendAs !== undefined && { send_as: sendAs }),
    };
  }

  return {
    list({ before, limit }) {
      const found = all();
      const at = before === undefined ? 0 : placeAfter(found, before);
      if (at === undefined) return undefined;
      const shown = found.slice(at, at + limit);
      return mask({
        total: found.length,
        chats: shown.map((each) => ({
          ...describe(each.sessionId),
          at: new Date(each.at).toISOString(),
        })),
        older: found.length > at + limit ? toKey(shown.at(-1)) : null,
      });
    },
    read(id, { before, limit }) {
      const sessionId = viewer.toStored(id);
      if (!viewer.isOwnSession(sessionId)) return undefined;
      const rows = core().sessions.messages(
        sessionId,
        before ?? Number.MAX_SAFE_INTEGER,
        limit + 1,
      );
      const entries: ChatEntry[] = [];
      let chars = 0;
      let older: number | null = null;
      for (const row of rows) {
        const entry = toEntry(row);
        chars += JSON.stringify(entry).length;
        if (entries.length >= limit || (entries.length > 0 && chars > MOST_PAGE_CHARS)) {
          older = (rows[entries.length - 1] ?? row).id;
          break;
        }
        entries.push(entry);
      }
      return mask({ ...describe(sessionId), messages: entries.toReversed(), older });
    },
    waitsForGate(sessionId) {
      const waiting = core().approvals.waiting(sessionId, app.clock.now());
      return waiting?.kind === "tool_call" && GATES.has(waiting.tool);
    },
  };
}

/** Names a place in the list and tells nothing of the conversation there: its name may be a secret. */
function toKey(last: Conversation | undefined): string | null {
  if (!last) return null;
  const digest = createHash("sha256").update(last.sessionId).digest("hex");
  return `${last.at}-${digest.slice(0, 16)}`;
}

/** What comes behind a key, also when what was there is gone; undefined: it is none. */
function placeAfter(found: readonly Conversation[], key: string): number | undefined {
  const [, time] = /^(\d{1,15})-[0-9a-f]{16}$/u.exec(key) ?? [];
  if (time === undefined) return undefined;
  const exact = found.findIndex((each) => each.at === Number(time) && toKey(each) === key);
  if (exact >= 0) return exact + 1;
  const older = found.findIndex(({ at }) => at < Number(time));
  return older < 0 ? found.length : older;
}

function toEntry({ id, at, message }: KeptMessage): ChatEntry {
  const head = { id, at: new Date(at).toISOString() };
  if (!message) return { ...head, role: "unknown", text: "" };
  const { role, content } = message;
  const calls = role === "assistant" ? (message.toolCalls ?? []) : [];
  return {
    ...head,
    role,
    text: toText(message, content),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: toVisibleText(call.id),
        name: toVisibleText(call.name),
        arguments: cut(toVisibleText(call.arguments)),
      })),
    }),
    ...(role === "tool" && { tool_call_id: toVisibleText(message.toolCallId) }),
  };
}

/** What somebody wrote as prose keeps what joins its letters. */
function toText({ role }: ChatMessage, content: string): string {
  return cut(role === "tool" ? toVisibleText(content) : toPrintableText(content));
}

function cut(text: string): string {
  return shorten(text, MOST_TEXT_CHARS);
}

function toTitle(text: string): string {
  const [line = ""] = text.trim().split(/\r?\n/u, 1);
  return shorten(toVisibleText(line), TITLE_CHARS);
}
