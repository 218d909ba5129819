import type { Database } from "bun:sqlite";
import type { Update } from "grammy/types";
import { errorMessage } from "../../../core/app-error.ts";
import type { Log } from "../../../core/log.ts";
import type { ChatMoves, Inbox, Lane, Outbox, Pairing } from "../../../store/chats/chats.ts";
import { atomically, isOfStore } from "../../../store/writer/writer.ts";
import { escapeHtml, type Message, type Place, textMessage } from "../message/message.ts";
import { type Received, toUnreadable, type Unreadable } from "../receive/receive.ts";
import { joinAlbum } from "./album.ts";
import { type Audience, type Inbound, isSpoken, routeUpdate, toSessionId } from "./route-update.ts";
import { takeEdit, toSaid } from "./take-edit.ts";

export { albumRows } from "./album.ts";
export {
  type Audience,
  type Inbound,
  isSpoken,
  routeUpdate,
  type Spoken,
  toSessionId,
} from "./route-update.ts";

/** Where updates go. */
export interface Intake {
  readonly store: Database;
  readonly moves: ChatMoves;
  readonly inbox: Inbox;
  readonly pairing: Pairing;
  readonly audience: Audience;
  /** Whether a message of the session is worked on. */
  readonly isBusy: (sessionId: string) => boolean;
  readonly outgoing: {
    /** Of one name it is posted once. */
    readonly post: (place: Place, message: Message, name?: string) => void;
    readonly dropButtons: (place: Place, messageId: number) => void;
    readonly newerCopy: Outbox["newerCopy"];
  };
  readonly now: number;
  readonly log: Log;
}

/** What follows once updates are stored: what to look at, and what is worth one try and no row. */
export interface FollowUps {
  /** Where something waits. */
  readonly stored: Work[];
  /** What was to be sent to a chat is sent to another now. */
  isMoved: boolean;
  /** Buttons to refuse. */
  readonly denied: Extract<Inbound, { kind: "denied" }>[];
  /** Messages that came while their session was busy. */
  readonly queued: { readonly updateId: number; readonly place: Place }[];
}

/**
 * Stores a batch of updates in one transaction and answers in it what needs no agent, so that
 * nothing is lost and nothing happens twice, whatever is redelivered.
 */
export function acceptUpdates(updates: readonly Received[], to: Intake): FollowUps {
  const followUps: FollowUps = { stored: [], isMoved: false, denied: [], queued: [] };
  atomically(to.store, () => {
    for (const received of updates) accept(received, to, followUps);
  });
  return followUps;
}

function accept(received: Received, to: Intake, followUps: FollowUps): void {
  if (received.kind === "nameless") {
    return to.log("TELEGRAM_UPDATE_UNREADABLE", { reason: received.reason });
  }
  const { updateId } = received;
  if (received.kind === "unreadable") {
    if (!to.inbox.isKnown(updateId)) recordUnreadable(received, to, followUps);
    return;
  }
  const { update } = received;
  try {
    if (isPlain(update) || !to.inbox.isKnown(updateId)) acceptUpdate(update, to, followUps);
  } catch (error) {
    // What the database refuses comes again; whatever else fails would fail again, and with it all
    // that came in the same batch.
    if (isOfStore(error)) throw error;
    recordUnreadable(toUnreadable(update, updateId, errorMessage(error)), to, followUps);
  }
}

/** Nothing is done for it before its row is added, which says whether it is known. */
function isPlain({ message }: Update): boolean {
  return message !== undefined && message.media_group_id === undefined;
}

/** One update that cannot be read must not hold up the others; its sender is told, if it is ours. */
function recordUnreadable(
  { updateId, reason, writer, queryId }: Unreadable,
  { inbox, audience, outgoing, log, now }: Intake,
  followUps: FollowUps,
): void {
  log("TELEGRAM_UPDATE_UNREADABLE", { update: updateId, reason });
  inbox.add({ updateId, sessionId: "", lane: "turn", updateJson: "", state: "done" }, now);
  const { unreadable, unknownButton } = audience.texts;
  if (queryId !== undefined)
    followUps.denied.push({ kind: "denied", queryId, text: unknownButton });
  if (writer === undefined || !audience.allowedUserIds.includes(writer.userId)) return;
  outgoing.post(writer.place, textMessage(escapeHtml(unreadable)));
}

function acceptUpdate(update: Update, to: Intake, followUps: FollowUps): void {
  const { update_id: updateId, edited_message: edited } = update;
  const given: Update = edited ? { update_id: updateId, message: edited } : update;
  const whole = joinAlbum(given, to.audience, (id) => to.inbox.waitingTurns(id));
  const routed = routeUpdate(whole, to.audience);
  // As it was sent: what joins it to an album depends on what waits.
  const said = toSaid(given, to.audience);
  const inbound = edited ? takeEdit(whole, routed, said, to) : refuseOldCopy(routed, to);
  const work = toWork(inbound, to.audience);
  const isBusy = work?.lane === "turn" && to.isBusy(work.sessionId);
  const isNew = to.inbox.add(
    {
      updateId,
      sessionId: work?.sessionId ?? "",
      lane: work?.lane ?? "turn",
      updateJson: work ? JSON.stringify(whole) : "",
      state: work ? "waiting" : "done",
      ...(isSpoken(inbound) && { said }),
    },
    to.now,
  );
  if (!isNew) return;
  if (work) followUps.stored.push(work);
  if (inbound.kind === "moved") followUps.isMoved = true;
  if (inbound.kind === "denied") followUps.denied.push(inbound);
  if (isBusy && isSpoken(inbound) && saysSomething(inbound)) {
    followUps.queued.push({ updateId, place: inbound.place });
  }
  answerAtOnce(inbound, to);
}

/**
 * A press on a copy of a message behind which a newer one was sent, since a crash or a dead line
 * left it open whether the first had arrived, only says so. What came in before that counts.
 */
function refuseOldCopy(inbound: Inbound, { outgoing, audience }: Intake): Inbound {
  const newer = inbound.kind === "press" && inbound.copy && outgoing.newerCopy(inbound.copy);
  if (!newer) return inbound;
  const { place, messageId, queryId } = inbound;
  // Until the newer one has arrived it may be given up, and these buttons are needed again.
  if (newer === "sent") outgoing.dropButtons(place, messageId);
  return { kind: "denied", queryId, text: audience.texts.sentAgain };
}

function saysSomething(inbound: Inbound): boolean {
  return inbound.kind !== "file" || inbound.text !== "";
}

interface Work {
  readonly sessionId: string;
  readonly lane: Lane;
}

function toWork(inbound: Inbound, audience: Audience): Work | undefined {
  switch (inbound.kind) {
    case "text":
    case "file":
    case "voice":
      return { sessionId: toSessionId(inbound.place, audience), lane: "turn" };
    case "press":
    case "cancel":
      return { sessionId: toSessionId(inbound.place, audience), lane: inbound.kind };
    case "ignored":
    case "notice":
    case "stranger":
    case "moved":
    case "denied":
      return undefined;
    default:
      return inbound satisfies never;
  }
}

/** Files that are sent together come one by one, and are answered once. */
function nameOfNotice(
  { place, albumId }: Extract<Inbound, { readonly kind: "notice" }>,
  { audience }: Intake,
): string | undefined {
  if (albumId === undefined) return undefined;
  return `${audience.botId}:${place.chatId}:album:${albumId}`;
}

function answerAtOnce(inbound: Inbound, to: Intake): void {
  if (inbound.kind === "notice") {
    to.outgoing.post(inbound.place, textMessage(inbound.html), nameOfNotice(inbound, to));
  }
  if (inbound.kind === "moved") to.moves.note(inbound.from, inbound.to);
  if (inbound.kind !== "stranger") return;
  const code = to.pairing.ask(inbound.user, to.now);
  if (code === undefined) return;
  to.outgoing.post(
    inbound.place,
    textMessage(`${escapeHtml(to.audience.texts.stranger)}\n<code>papayu pair ${code}</code>`),
  );
  to.log("TELEGRAM_PAIRING_ASKED", { user: inbound.user.id });
}
