import { randomUUID } from "node:crypto";
import type { WorkState } from "../channel.ts";

const ID = /^[\w.:-]{1,64}$/;
const PATH = /^\/api\/work\/([\w.:-]{1,64})$/;

/** The id by which a client asks what became of its request: its own, or one made for it. */
export function toWorkId(
  given: string | null,
): { readonly ok: true; readonly id: string } | { readonly ok: false; readonly message: string } {
  const id = given ?? randomUUID();
  if (ID.test(id)) return { ok: true, id };
  return { ok: false, message: '"Idempotency-Key" must be 1 to 64 letters, digits or . : _ -' };
}

/** The work that a path asks for. */
export function toAskedWork(path: string): string | undefined {
  return PATH.exec(path)?.[1];
}

/** No other channel's works have such ids. */
export function inHttp(id: string): string {
  return `http:${id}`;
}

/** What became of a work, as a document. */
export function toWorkReport(id: string, work: WorkState): Record<string, unknown> {
  const head = { ok: true, work_id: id, state: work.state };
  if (work.state !== "ended") return head;
  const outcomes = work.outcomes.map(({ txId, changes, errorCode, error, ...rest }) => ({
    ok: rest.ok,
    status: rest.status,
    workspace: rest.workspace,
    ...(txId !== undefined && { tx_id: txId }),
    paths: changes.map(({ path }) => path),
    ...(rest.notes && { notes: rest.notes }),
    ...(error !== undefined && { error, error_code: errorCode }),
  }));
  return { ...head, outcomes };
}
