import { randomUUID } from "node:crypto";
import { errorMessage } from "../../core/app-error.ts";
import { isListOf, isObject, isText } from "../../core/guards.ts";
import { PRESS_ACTS, type Press, toPressAct } from "../press.ts";
import { parseRevision } from "./parse-revision.ts";
import type { Say } from "./refuse.ts";

/** In whose name a request counts, and how names of their conversations and works begin. */
export interface Asker {
  readonly userId: string;
  readonly prefix: string;
}

/** Who has the token, or was let in at this machine, is the owner. */
const OWNER: Asker = { userId: "owner", prefix: "http:" };

/** Who asks; `other` as conversations know them: what is theirs has names that nobody else's has. */
export function toAsker(other: string | undefined): Asker {
  return other === undefined ? OWNER : { userId: other, prefix: `app:${other}:` };
}

/** What a body asks for: a message, or the answer to a question that was asked before. */
export type ChatRequest = MessageRequest | PressRequest;

/** Something that is said in a conversation. */
export interface MessageRequest {
  readonly kind: "message";
  readonly sessionId: string;
  readonly text: string;
  /** What waits there, as it is before the eyes of who says it; undefined: they do not say. */
  readonly shown?: readonly ShownQuestion[];
  /** Ids of files that were taken before. */
  readonly files?: readonly string[];
  /** What the model is told below the words. */
  readonly attached?: string;
  /** In whose name, where that is known; else the owner's. */
  readonly userId?: string;
  /** Who asks draws the answer and reads no Markdown. */
  readonly isRendered?: true;
}

/** A question or a plan that a client shows, with what it is about where that has a digest. */
export interface ShownQuestion {
  readonly ref: string;
  readonly digest?: string;
}

/** The answer to a question. */
export interface PressRequest {
  readonly kind: "press";
  readonly sessionId: string;
  /** Of whom it was asked, where that is known; else whoever asks. */
  readonly userId?: string;
  readonly press: Press;
  /** What was on the screen. */
  readonly digest?: string;
  readonly isRendered?: true;
}

/** A press whose body was right. */
export interface ParsedPress {
  readonly ok: true;
  readonly request: PressRequest;
  readonly isNamed: boolean;
}

/** A request, or what is wrong with the body. */
export type ParsedRequest =
  | {
      readonly ok: true;
      readonly request: ChatRequest;
      /** The client said which session it means. */
      readonly isNamed: boolean;
    }
  | { readonly ok: false; readonly message: string | Say };

const SESSION = /^[\w.:-]{1,64}$/;
/** This API's, and those of other channels, which are looked up. */
const CONVERSATION = /^(?:http:[\w.:-]{1,64}|(?:telegram|terminal):[^\p{Cc}]{1,500})$/u;
const MOST_SHOWN = 50;
/** As many as Telegram sends together. */
const MOST_FILES = 10;

/** Reads the body of `/api/chat` or `/api/press`; without a session it begins a new one. */
export function parseRequest(path: string, body: string, { prefix }: Asker): ParsedRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return refuse(`the body is not JSON (${errorMessage(error)})`);
  }
  const record = toRecord(value);
  const { session_id: named, conversation, message, content, act, ref, digest } = record;
  const rendering = record["rendered"] === true && ({ isRendered: true } as const);
  const place = toConversation(named, conversation, prefix);
  if (!place.ok) return place;
  const { sessionId, isNamed } = place;
  if (path === "/api/press") {
    const known = toPressAct(act);
    if (!known) return refuse(`"act" must be one of ${PRESS_ACTS.join(", ")}`);
    if (typeof ref !== "string" || ref === "") return refuse('"ref" must be the id that was asked');
    if (digest !== undefined && typeof digest !== "string") {
      return refuse('"digest" must be that of what was shown');
    }
    const isRevision = known === "leave_out" || known === "revise";
    // What the daemon itself keeps as unticked is of no other change set.
    const isShown = known === "revise" || record["leave_out"] !== undefined;
    if (isRevision && isShown && digest === undefined) {
      return refuse(`"${known}" needs the "digest" of what was shown`);
    }
    const revised = isRevision ? parseRevision(record) : undefined;
    if (revised && !revised.ok) return revised;
    const { words } = record;
    const hasWords = known === "change_routine" || (known === "change" && words !== undefined);
    if (hasWords && typeof words !== "string") return refuse(`"${known}" needs "words"`);
    const shown = digest === undefined ? {} : { digest };
    const isTakenBack = known === "undo" || known === "redo";
    const press = {
      act: known,
      ref,
      ...(revised && { revision: revised.revision }),
      ...(hasWords && typeof words === "string" && { words }),
      ...(isTakenBack && digest !== undefined && { exactly: digest }),
    };
    return {
      ok: true,
      isNamed,
      request: { kind: "press", sessionId, press, ...shown, ...rendering },
    };
  }
  const text = message ?? content;
  if (typeof text !== "string" || text.trim() === "") {
    return refuse('"message" must be a text; send {"message": "…", "session_id": "…"}');
  }
  const beside = toMessageParts(record);
  if (!beside.ok) return beside;
  const { shown, files } = beside;
  const more = { ...(shown && { shown }), ...(files && { files }), ...rendering };
  return { ok: true, isNamed, request: { kind: "message", sessionId, text, ...more } };
}

type Bad = { readonly ok: false; readonly message: string };

/**
 * The conversation that a request names, by a name of this API or by the id of any, as it is called to
 * who asks; without either one that begins with it. `prefix`: of who asks.
 */
export function toConversation(
  named: unknown,
  conversation: unknown,
  prefix: string,
): { readonly ok: true; readonly sessionId: string; readonly isNamed: boolean } | Bad {
  if (conversation !== undefined) {
    if (named !== undefined) return refuse('send "session_id" or "conversation", not both');
    const isId = typeof conversation === "string" && CONVERSATION.test(conversation);
    if (!isId) return refuse('"conversation" must be the "id" of GET /api/chats');
    const { prefix: shown } = OWNER;
    const isOfApi = conversation.startsWith(shown);
    const sessionId = isOfApi ? prefix + conversation.slice(shown.length) : conversation;
    return { ok: true, sessionId, isNamed: true };
  }
  const isNamed = named !== undefined;
  const session = isNamed ? named : randomUUID();
  if (typeof session !== "string" || !SESSION.test(session)) {
    return refuse('"session_id" must be 1 to 64 letters, digits or . : _ -');
  }
  return { ok: true, sessionId: prefix + session, isNamed };
}

/** What came with the words. */
function toMessageParts({ shown, files }: Readonly<Record<string, unknown>>):
  | {
      readonly ok: true;
      readonly shown: readonly ShownQuestion[] | undefined;
      readonly files: readonly string[] | undefined;
    }
  | Bad {
  if (shown !== undefined && !(isListOf(isShownQuestion)(shown) && shown.length <= MOST_SHOWN)) {
    return refuse(`"shown" must be at most ${MOST_SHOWN} of {"ref", "digest"?}`);
  }
  if (files !== undefined && !(isListOf(isText)(files) && files.length <= MOST_FILES)) {
    return refuse(`"files" must be at most ${MOST_FILES} ids of POST /api/files`);
  }
  return { ok: true, shown, files };
}

const isShownQuestion = isObject({ ref: isText }, { digest: isText });

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function refuse(message: string): Bad {
  return { ok: false, message };
}
