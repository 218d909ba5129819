import type { Message, Update } from "grammy/types";
import { sha256 } from "../../../core/sha256.ts";
import type { Inbox, Said } from "../../../store/chats/chats.ts";
import { escapeHtml } from "../message/message.ts";
import { albumRows } from "./album.ts";
import {
  type Audience,
  attachmentOf,
  type Inbound,
  isSpoken,
  toPlace,
  toSessionId,
} from "./route-update.ts";

const IGNORED: Inbound = { kind: "ignored" };

/**
 * What an edit comes to: a message that still waits says the new words, with the new file, in its
 * old place, or is withdrawn when it asks for nothing any more or in a group speaks to the bot no
 * more; one that was begun stays as it is, and its sender is told so. What never reached the
 * inbox, such as talk in a group, and edits that change neither words nor file are ignored.
 */
export function takeEdit(
  update: Update,
  edit: Inbound,
  said: Said,
  { inbox, audience }: { readonly inbox: Inbox; readonly audience: Audience },
): Inbound {
  const { message } = update;
  if (!message || !isTheirs(message, edit, audience)) return IGNORED;
  const place = toPlace(message);
  const sessionId = toSessionId(place, audience);
  const found = inbox.findMessage(sessionId, said.messageId);
  if (!found || found.sha256 === said.sha256) return IGNORED;
  inbox.noteEdit(found.updateId, said.sha256);
  if (!found.isUntouched) {
    return { kind: "notice", place, html: escapeHtml(audience.texts.editTooLate) };
  }
  if (isSpoken(edit)) {
    inbox.replace(found.updateId, JSON.stringify({ ...update, update_id: found.updateId }));
    return IGNORED;
  }
  inbox.finish(found.updateId, "done");
  // Files sent together count as one message.
  for (const { row } of albumRows(message, inbox.waitingTurns(sessionId))) {
    if (inbox.isUntouched(row.updateId)) inbox.finish(row.updateId, "done");
  }
  return edit;
}

/**
 * What a message says, for edits of it: its words and, where it has one, its file. A chat that became
 * another numbers its messages anew, in the same conversation: those of the chat that this is not
 * named after are below zero there.
 */
export function toSaid({ message }: Update, { moves }: Pick<Audience, "moves">): Said {
  const words = message?.text ?? message?.caption ?? "";
  const file = message && attachmentOf(message)?.uniqueId;
  const whole = file === undefined ? words : `${file}\n${words}`;
  const { message_id: id = 0, chat } = message ?? {};
  const isFirst = chat === undefined || moves.nameOf(chat.id) === chat.id;
  return { messageId: isFirst ? id : -id, sha256: sha256(whole) };
}

function isTheirs({ from }: Message, edit: Inbound, { allowedUserIds }: Audience): boolean {
  if (edit.kind === "cancel" || edit.kind === "notice" || isSpoken(edit)) return true;
  return edit.kind === "ignored" && from !== undefined && allowedUserIds.includes(from.id);
}
