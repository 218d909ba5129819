import { createHash, randomUUID } from "node:crypto";
import { NOTES_EN } from "../../texts/notes/en.ts";
import { wordNotes } from "../../texts/notes/notes.ts";
import type { Asked, KnownRequest, Press, WorkQuestion, WorkState } from "../channel.ts";
import type { ChatRequest, MessageRequest, ParsedRequest } from "./parse-request.ts";

/** A step of one or two dots would be taken out of the address that asks for it. */
const ID = /^(?!\.{1,2}$)[\w.:-]{1,64}$/;
const PATH = /^\/api\/work\/([\w.:-]{1,64})$/;

/** The id by which a client asks what became of its request: its own, or one made for it. */
export function toWorkId(
  given: string | null,
): { readonly ok: true; readonly id: string } | { readonly ok: false; readonly message: string } {
  const id = given ?? randomUUID();
  if (ID.test(id)) return { ok: true, id };
  return {
    ok: false,
    message:
      '"Idempotency-Key" must be 1 to 64 letters, digits or . : _ -, and more than one or two dots',
  };
}

/** The work that a path asks for. */
export function toAskedWork(path: string): string | undefined {
  return PATH.exec(path)?.[1];
}

/** The request as its work is known by: the id, and a hash of what is asked, wherever that is. */
export function toAsked(workId: string, request: ChatRequest): Asked {
  const parts = request.kind === "press" ? pressOf(request.press) : messageOf(request);
  const digest = createHash("sha256").update(JSON.stringify([request.kind, ...parts]));
  return { workId, digest: digest.digest("hex") };
}

/** What was on the screen decides what a yes is for. */
function messageOf({ text, files = [], shown }: MessageRequest): readonly unknown[] {
  return [text, ...files, ...(shown ? [shown] : [])];
}

/** Presses that carry nothing more are known by what they were known by before they could. */
function pressOf({ act, ref, revision, exactly, words }: Press): readonly unknown[] {
  const more = revision ?? exactly ?? words;
  return more === undefined ? [act, ref] : [act, ref, more];
}

/** Why an id must not be used for this request: it is that of another one. */
export function toMisuse(
  { request, isNamed }: Extract<ParsedRequest, { readonly ok: true }>,
  { digest }: Asked,
  { asked }: WorkState,
): { readonly status: 409 | 422; readonly reason: string } | undefined {
  if (!asked) return undefined;
  if (isNamed && request.sessionId !== asked.sessionId) {
    return { status: 409, reason: `is the key of a request of another session; ${OWN_KEY}` };
  }
  if (digest === asked.digest) return undefined;
  return { status: 422, reason: `is the key of a request with another body; ${OWN_KEY}` };
}

/** A request that names no session means the conversation in which its id came first. */
export function inFirstSession(
  { request, isNamed }: Extract<ParsedRequest, { readonly ok: true }>,
  { asked }: KnownRequest,
): ChatRequest {
  return isNamed || !asked ? request : { ...request, sessionId: asked.sessionId };
}

const OWN_KEY = "nothing was done; send a key of its own with each request";

/** What became of a work, as a document. */
export function toWorkReport(id: string, work: WorkState): Record<string, unknown> {
  const { state } = work;
  const mayHaveRun = state !== "running" && work.mayHaveRun === true;
  const received = work.asked !== undefined && { received: true };
  const doubt = mayHaveRun && { may_have_run: true };
  const question = work.question && { approval: toQuestion(work.question) };
  const head = { ok: true, work_id: id, state, ...received, ...doubt, ...question };
  if (work.state !== "ended") return head;
  const outcomes = work.outcomes.map(({ txId, changes, errorCode, error, ...rest }) => ({
    ok: rest.ok,
    status: rest.status,
    workspace: rest.workspace,
    ...(txId !== undefined && { tx_id: txId }),
    paths: changes.map(({ path }) => path),
    ...(rest.notes && { notes: wordNotes(rest.notes, NOTES_EN) }),
    ...(error !== undefined && { error, error_code: errorCode }),
  }));
  return { ...head, outcomes };
}

/** Named as its event names it. */
function toQuestion({ approvalId, isWaiting, about }: WorkQuestion): Record<string, unknown> {
  const subject =
    about.kind === "tool_call"
      ? { tool: about.tool }
      : { plan_id: about.planId, change_set_id: about.changeSetId };
  return { approval_id: approvalId, ...subject, waiting: isWaiting };
}
