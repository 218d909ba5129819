import { createHash } from "node:crypto";
import type { Workspaces } from "../../agent/deps.ts";
import { maskTexts } from "../../agent/session/session.ts";
import type {
  ChatEntry,
  ChatFacts,
  RunningEntry,
  SentFile,
} from "../../channels/http/http-channel.ts";
import { shorten } from "../../core/cut-text.ts";
import { toPrintableText, toVisibleText } from "../../core/visible-text.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import type { Conversation, KeptMessage, Shown } from "../../store/sessions.ts";
import { MAX_SENT_BYTES } from "../../tools/files/files.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readWholeFile } from "../../workspace/read-file.ts";
import type { App } from "../app/app.ts";
import { createSaveFile } from "../incoming-files.ts";
import { stateOf } from "./review-document.ts";
import type { RunningWork, WorkObserver } from "./running.ts";
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

/** What is talked about at the moment. */
export interface Talk {
  readonly observer: Pick<WorkObserver, "running" | "newestBefore">;
  /** Whether anything of a session is worked on, whoever hears of it. */
  readonly isBusy: (sessionId: string) => boolean;
}

/** Conversations of whoever looks: of this API and the console, of terminals, and of their phone. */
export function createChats(
  app: Pick<App, "current" | "state" | "clock">,
  viewer: Viewer,
  { observer, isBusy }: Talk,
): ChatFacts {
  const plans = createPlanStore(app.state.store);
  const core = () => app.current.agent.core;
  const mask = <T>(document: T): T => maskTexts(document, core().redact);

  const stateOfQuestion: StateOf = (approvalId) => {
    const approval = core().approvals.load(approvalId);
    return approval && stateOf(approval, app.clock.now());
  };

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
      may_send: facts.speaker(sessionId) !== undefined,
    };
  }

  /** By its own name for a client of the API, and by none for another channel's. */
  function toRunning({ channel, at, workId, words, isOver, events }: RunningWork): RunningEntry {
    const isOfApi = workId?.startsWith(viewer.prefix) === true;
    return {
      channel,
      at: new Date(at).toISOString(),
      ...(isOfApi && { work_id: workId?.slice(viewer.prefix.length) }),
      ...(words !== undefined && { text: cut(toPrintableText(words)) }),
      ...(isOver && { over: true }),
      events,
    };
  }

  /** A private chat on the phone is there before a word is said in it. */
  function isThere(sessionId: string): boolean {
    const { sessions } = core();
    const isKept = sessions.newest(sessionId) > 0 || sessions.state(sessionId).userId !== undefined;
    const isRunning = isBusy(sessionId) || observer.running(sessionId).length > 0;
    return isKept || isRunning || viewer.speaksIn(sessionId) === sessionId;
  }

  const facts: ChatFacts = {
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
    read(id, { before, after = 0, limit }) {
      const sessionId = viewer.toStored(id);
      if (!viewer.isOwnSession(sessionId) || !isThere(sessionId)) return undefined;
      const rows = core().sessions.messages(
        sessionId,
        Math.min(before ?? Number.MAX_SAFE_INTEGER, observer.newestBefore(sessionId) + 1),
        limit + 1,
      );
      const entries: ChatEntry[] = [];
      let chars = 0;
      let older: number | null = null;
      for (const row of rows) {
        if (row.id <= after) break;
        const entry = toEntry(row, stateOfQuestion);
        chars += JSON.stringify(entry).length;
        if (entries.length >= limit || (entries.length > 0 && chars > MOST_PAGE_CHARS)) {
          older = (rows[entries.length - 1] ?? row).id;
          break;
        }
        entries.push(entry);
      }
      const running = before === undefined ? observer.running(sessionId).map(toRunning) : [];
      return mask({ ...describe(sessionId), messages: entries.toReversed(), older, running });
    },
    nameOf(sessionId) {
      if (!viewer.isOwnSession(sessionId)) return undefined;
      return core().redact(viewer.toShown(sessionId));
    },
    speaker(sessionId) {
      if (sessionId.startsWith(viewer.prefix)) return { sessionId, userId: viewer.reader };
      const userId = viewer.speaksIn(sessionId);
      return userId !== undefined && isThere(sessionId) ? { sessionId, userId } : undefined;
    },
    waiting(sessionId) {
      const { approvals, sessions } = core();
      const asked = approvals.waiting(sessionId, app.clock.now());
      if (asked) {
        const { approvalId: ref } = asked;
        return asked.kind === "tool_call"
          ? { ref, digest: asked.callSha256, kind: "call" }
          : { ref, digest: asked.changeSetId, kind: "change set" };
      }
      const { planId } = sessions.state(sessionId);
      return planId === undefined ? undefined : { ref: planId, kind: "plan" };
    },
    isBusy,
    saveFile: (...file) => createSaveFile(app.current)(...file),
    workspaceOf(sessionId) {
      const { sessions, workspaces } = core();
      return sessions.state(sessionId).workspace ?? workspaces.names[0] ?? "";
    },
    async sentFile(id, fileId) {
      const sessionId = viewer.toStored(id);
      if (!viewer.isOwnSession(sessionId)) return undefined;
      const [sent] = core().sessions.shownAs(sessionId, fileId);
      if (sent?.kind !== "file" || !sent.file) return undefined;
      return readSentFile(core().workspaces, sent.workspace, sent.file);
    },
    waitsForGate(sessionId) {
      const waiting = core().approvals.waiting(sessionId, app.clock.now());
      return waiting?.kind === "tool_call" && GATES.has(waiting.tool);
    },
  };
  return facts;
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

function toEntry({ id, at, message, shown }: KeptMessage, stateOfQuestion: StateOf): ChatEntry {
  const head = { id, at: new Date(at).toISOString() };
  if (shown) return { ...head, ...toShownEntry(shown, stateOfQuestion) };
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

/** As it was when it was given, out of a folder that is granted now. */
async function readSentFile(
  workspaces: Workspaces,
  name: string | undefined,
  { path, sha256 }: NonNullable<Shown["file"]>,
): Promise<SentFile | undefined> {
  if (name === undefined || !workspaces.names.includes(name)) return undefined;
  const guarded = resolvePath(workspaces.get(name), path, "read");
  if (!guarded.ok || !guarded.stat) return undefined;
  const read = await readWholeFile(guarded, MAX_SENT_BYTES);
  if (!read.ok || read.sha256 !== sha256) return undefined;
  return { name: toVisibleText(path.split("/").at(-1) ?? ""), bytes: read.bytes };
}

/** Said or shown beside the messages of a model. */
function toShownEntry(shown: Shown, stateOfQuestion: StateOf): ChatEntry {
  const { kind, text, ref, workspace, actions, file } = shown;
  if (kind === "said") return { role: "user", text: cut(toPrintableText(text)) };
  const state = kind === "change_set" || kind === "call" ? stateOfQuestion(ref ?? "") : undefined;
  return {
    role: "shown",
    kind,
    text: cut(PROSE.has(kind) ? toPrintableText(text) : toVisibleText(text)),
    ...(ref !== undefined && { ref }),
    ...(workspace !== undefined && { workspace }),
    ...(actions && {
      actions: actions.map(({ act, ref: of, label }) => ({
        act,
        ref: of,
        label: toVisibleText(label),
      })),
    }),
    ...(state !== undefined && { state }),
    ...(file && { size_bytes: file.sizeBytes }),
  };
}

/** What became of a question, by its id. */
type StateOf = (approvalId: string) => string | undefined;

const PROSE: ReadonlySet<Shown["kind"]> = new Set(["text", "plan", "change_set", "choice"]);

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
