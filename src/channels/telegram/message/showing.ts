import type { ShownRow } from "../../../store/chats/chats.ts";
import type { AgentEvent, Seen } from "../../channel.ts";

/** Which of the messages that show a plan or a question it is. */
export interface Showing {
  readonly ref: string;
  readonly index: number;
  readonly of: number;
}

/** Where and behind what somebody said something; numbers of messages grow with each in a chat. */
export interface SaidAt {
  readonly chatId: number;
  readonly messageId: number;
}

/** The chat that one is by now. */
type Now = (chatId: number) => number;

/** Marks the messages of what a person may say yes to in words. */
export function markShowing<Shown extends object>(
  event: AgentEvent,
  messages: readonly Shown[],
): (Shown & { readonly showing?: Showing })[] {
  const ref = refOf(event);
  if (ref === undefined) return [...messages];
  const of = messages.length;
  return messages.map((message, index) => ({ ...message, showing: { ref, index, of } }));
}

function refOf(event: AgentEvent): string | undefined {
  if (event.kind === "plan") return event.planId;
  const isQuestion = event.kind === "approval" || event.kind === "call_approval";
  return isQuestion ? event.approvalId : undefined;
}

/** How the names of all rows begin that show it; no id has a "/" in it. */
export function toShowingPrefix(ref: string): string {
  return `${ref}/`;
}

/** The name under which the outbox keeps the rows of such a message. */
export function nameShowing({ ref, index, of }: Showing, name: string): string {
  return `${toShowingPrefix(ref)}${index}-${of}/${name}`;
}

/** The plan or the question that a row of the outbox shows. */
export function shownBy({ turn }: { readonly turn: string | null }): string | undefined {
  return /^([^/]+)\/\d+-\d+\//u.exec(turn ?? "")?.[1];
}

/** What all rows of it have in common that were shown at one time, whatever each of them says. */
export function timeShown({ turn }: { readonly turn: string | null }): string | undefined {
  return /^[^/]+\/\d+-\d+\/(.*?)(?::[\da-f]{64}:\d+)?$/u.exec(turn ?? "")?.[1];
}

/**
 * Whether all messages of it are on the phone, and were before that was said. Telegram's own order
 * says so, and no clock; what a chat showed before it became another came before all that is said there.
 * The outbox may know nothing of it: a page asked it, its rows went after a week, or a version before
 * this one showed it, which did not name them.
 */
export function wasSeen(rows: readonly ShownRow[], said: SaidAt, now: Now): Seen {
  if (rows.length === 0) return "unknown";
  const here = rows.filter(({ chatId }) => now(Number(chatId)) === now(said.chatId));
  const sent = (row: ShownRow) => row.state === "sent";
  if (isWhole(here, (row) => sent(row) && isBefore(row, said, now))) return "seen";
  const mayBeBefore = (row: ShownRow) =>
    (!isFailed(row) && row.inDoubt > 0) || (sent(row) && isBefore(row, said, now));
  if (isWhole(here, mayBeBefore)) return "unsure";
  if (isWhole(here, sent)) return "later";
  const isLost = here.some(isFailed) && !isWhole(here, (row) => !isFailed(row));
  return isLost ? "lost" : "unsent";
}

function isFailed({ state }: ShownRow): boolean {
  return state === "failed";
}

/** Whether each of its messages is there in full at least once: it may have been shown again. */
function isWhole(rows: readonly ShownRow[], isThere: (row: ShownRow) => boolean): boolean {
  const messages = Map.groupBy(rows, ({ turn }) => turn);
  const there = [...messages].filter(([, parts]) => parts.every(isThere)).map(([turn]) => turn);
  const places = new Set(there.map((turn) => turn.split("/")[1] ?? ""));
  const counts = new Set([...places].map((place) => Number(place.split("-")[1])));
  return [...counts].some((of) =>
    Array.from({ length: of }, (_, index) => places.has(`${index}-${of}`)).every(Boolean),
  );
}

function isBefore({ chatId, messageId }: ShownRow, said: SaidAt, now: Now): boolean {
  if (Number(chatId) !== said.chatId) return now(Number(chatId)) === said.chatId;
  return messageId === null || messageId < said.messageId;
}
