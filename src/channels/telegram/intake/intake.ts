import type { Database } from "bun:sqlite";
import type { Update } from "grammy/types";
import type { Log } from "../../../core/log.ts";
import { sha256 } from "../../../core/sha256.ts";
import {
  type Inbox,
  type InboxRow,
  type Lane,
  moveChat,
  type Outbox,
  type Pairing,
} from "../../../store/chats/chats.ts";
import {
  escapeHtml,
  type Message,
  type Place,
  type Send,
  textMessage,
  withoutButtons,
} from "../message/message.ts";
import { parseStored, type Received } from "../receive/receive.ts";
import {
  type Audience,
  type Inbound,
  isAddressed,
  isSpoken,
  routeUpdate,
  toPlace,
  toSessionId,
} from "./route-update.ts";

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
  readonly inbox: Inbox;
  readonly pairing: Pairing;
  readonly audience: Audience;
  readonly outgoing: {
    readonly post: (place: Place, message: Message) => void;
    readonly enqueue: (send: Send) => void;
    readonly newerCopy: Outbox["newerCopy"];
  };
  readonly now: number;
  readonly log: Log;
}

/** What is worth one try and no row. */
export interface FollowUps {
  /** Buttons to refuse. */
  readonly denied: Extract<Inbound, { kind: "denied" }>[];
  /** Messages that came while their session was at work. */
  readonly queued: { readonly updateId: number; readonly place: Place }[];
}

/**
 * Stores a batch of updates in one transaction and answers in it what needs no agent, so that
 * nothing is lost and nothing happens twice, whatever is redelivered.
 */
export function acceptUpdates(updates: readonly Received[], to: Intake): FollowUps {
  const followUps: FollowUps = { denied: [], queued: [] };
  const acceptAll = to.store.transaction(() => {
    for (const received of updates) accept(received, to, followUps);
  });
  acceptAll.immediate();
  return followUps;
}

function accept(received: Received, to: Intake, followUps: FollowUps): void {
  if (received.kind === "nameless") {
    return to.log("TELEGRAM_UPDATE_UNREADABLE", { reason: received.reason });
  }
  if (to.inbox.isKnown(received.updateId)) return;
  if (received.kind === "unreadable") recordUnreadable(received, to, followUps);
  else acceptUpdate(received.update, to, followUps);
}

/** One update that cannot be read must not hold up the others; its sender is told, if it is ours. */
function recordUnreadable(
  { updateId, reason, writer, queryId }: Extract<Received, { kind: "unreadable" }>,
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
  const inbound = edited ? takeEdit(whole, routed, to) : refuseOldCopy(routed, to);
  const work = toWork(inbound);
  const isBusy = work?.lane === "turn" && to.inbox.isBusy(work.sessionId);
  to.inbox.add(
    {
      updateId,
      sessionId: work?.sessionId ?? "",
      lane: work?.lane ?? "turn",
      updateJson: work ? JSON.stringify(whole) : "",
      state: work ? "waiting" : "done",
      ...(isSpoken(inbound) && { said: toSaid(whole) }),
    },
    to.now,
  );
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
  if (newer === "sent") outgoing.enqueue(withoutButtons(place, messageId));
  return { kind: "denied", queryId, text: audience.texts.sentAgain };
}

/**
 * What an edit comes to: a message that still waits says the new words, in its old place; one
 * that was begun stays as it is, and its sender is told so. What the inbox was never told of,
 * such as talk in a group, and edits that change no words are ignored.
 */
function takeEdit(update: Update, edit: Inbound, { inbox, audience }: Intake): Inbound {
  const said = toSaid(update);
  if (edit.kind !== "cancel" && edit.kind !== "notice" && !isSpoken(edit)) return IGNORED;
  const found = inbox.findMessage(toSessionId(edit.place), said.messageId);
  if (!found || found.sha256 === said.sha256) return IGNORED;
  inbox.noteEdit(found.updateId, said.sha256);
  if (!found.isUntouched) {
    return { kind: "notice", place: edit.place, html: escapeHtml(audience.texts.editTooLate) };
  }
  if (isSpoken(edit)) {
    inbox.replace(found.updateId, JSON.stringify({ ...update, update_id: found.updateId }));
    return IGNORED;
  }
  inbox.finish(found.updateId, "done");
  return edit;
}

const IGNORED: Inbound = { kind: "ignored" };

function toSaid({ message }: Update): { readonly messageId: number; readonly sha256: string } {
  const words = message?.text ?? message?.caption ?? "";
  return { messageId: message?.message_id ?? 0, sha256: sha256(words) };
}

function saysSomething(inbound: Inbound): boolean {
  return inbound.kind !== "file" || inbound.text !== "";
}

function toWork(inbound: Inbound): { sessionId: string; lane: Lane } | undefined {
  switch (inbound.kind) {
    case "text":
    case "file":
    case "voice":
      return { sessionId: toSessionId(inbound.place), lane: "turn" };
    case "press":
    case "cancel":
      return { sessionId: toSessionId(inbound.place), lane: inbound.kind };
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

function answerAtOnce(inbound: Inbound, to: Intake): void {
  if (inbound.kind === "notice") to.outgoing.post(inbound.place, textMessage(inbound.html));
  if (inbound.kind === "moved") moveChat(to.store, inbound.from, inbound.to);
  if (inbound.kind !== "stranger") return;
  const code = to.pairing.ask(inbound.user, to.now);
  if (code === undefined) return;
  to.outgoing.post(
    inbound.place,
    textMessage(`${escapeHtml(to.audience.texts.stranger)}\n<code>papayu pair ${code}</code>`),
  );
  to.log("TELEGRAM_PAIRING_ASKED", { user: inbound.user.id });
}

/**
 * In a group only one file of an album has the caption that addresses the bot. One that follows it
 * is kept as if it mentioned the bot, too, so that it does wherever it is read again.
 */
function joinAlbum(
  update: Update,
  { botId, username }: Audience,
  waitingTurns: (sessionId: string) => readonly InboxRow[],
): Update {
  const { message } = update;
  if (!message?.media_group_id || message.caption !== undefined) return update;
  if (message.chat.type === "private" || isAddressed(message, { botId, username })) return update;
  const isJoined = waitingTurns(toSessionId(toPlace(message))).some(({ updateJson }) => {
    const first = parseStored(updateJson)?.message;
    if (first?.media_group_id !== message.media_group_id) return false;
    return first?.from?.id === message.from?.id;
  });
  if (!isJoined) return update;
  const user = { id: botId, is_bot: true, first_name: username };
  const caption_entities = [{ type: "text_mention" as const, offset: 0, length: 4, user }];
  return { ...update, message: { ...message, caption: "@bot", caption_entities } };
}
