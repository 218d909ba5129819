import { randomUUID } from "node:crypto";
import { errorMessage } from "../../core/app-error.ts";
import { PRESS_ACTS, type Press, toPressAct } from "../press.ts";
import { parseRevision } from "./parse-revision.ts";

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
  /** Who asks draws the answer and reads no Markdown. */
  readonly isRendered?: true;
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
  | { readonly ok: false; readonly message: string };

const SESSION = /^[\w.:-]{1,64}$/;
/** Reads the body of `/api/chat` or `/api/press`; without a session it begins a new one. */
export function parseRequest(path: string, body: string, { prefix }: Asker): ParsedRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return refuse(`the body is not JSON (${errorMessage(error)})`);
  }
  const record = toRecord(value);
  const { session_id: named, message, content, act, ref, digest } = record;
  const rendering = record["rendered"] === true && ({ isRendered: true } as const);
  const isNamed = named !== undefined;
  const session = isNamed ? named : randomUUID();
  if (typeof session !== "string" || !SESSION.test(session)) {
    return refuse('"session_id" must be 1 to 64 letters, digits or . : _ -');
  }
  const sessionId = prefix + session;
  if (path === "/api/press") {
    const known = toPressAct(act);
    if (!known) return refuse(`"act" must be one of ${PRESS_ACTS.join(", ")}`);
    if (typeof ref !== "string" || ref === "") return refuse('"ref" must be the id that was asked');
    if (digest !== undefined && typeof digest !== "string") {
      return refuse('"digest" must be that of what was shown');
    }
    const isRevision = known === "leave_out" || known === "revise";
    if (isRevision && digest === undefined) {
      return refuse(`"${known}" needs the "digest" of what was shown`);
    }
    const revised = isRevision ? parseRevision(record) : undefined;
    if (revised && !revised.ok) return revised;
    const { words } = record;
    const hasWords = known === "change_routine";
    if (hasWords && typeof words !== "string") return refuse('"change_routine" needs "words"');
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
  return { ok: true, isNamed, request: { kind: "message", sessionId, text, ...rendering } };
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function refuse(message: string): ParsedRequest {
  return { ok: false, message };
}
