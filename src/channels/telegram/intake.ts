import type { Database } from "bun:sqlite";
import type { Update } from "grammy/types";
import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import type { Inbox, Lane } from "../../store/inbox.ts";
import type { Outbox } from "../../store/outbox.ts";
import type { Texts } from "../../texts/texts.ts";
import { type Message, type Place, textMessage } from "./message.ts";
import { type Audience, type Inbound, routeUpdate, toSessionId } from "./route-update.ts";

const STRANGER_PAUSE_MS = 3600_000;

/**
 * Stores a batch of updates in one transaction and answers in it what needs no agent, so that
 * nothing is lost and nothing happens twice, whatever is redelivered.
 *
 * Returns the buttons to refuse, which is worth one try and no row.
 */
export function acceptUpdates(
  updates: readonly Update[],
  to: {
    readonly store: Database;
    readonly inbox: Inbox;
    readonly outbox: Outbox;
    readonly audience: Audience;
    readonly post: (place: Place, message: Message) => void;
    readonly texts: () => Texts;
    readonly now: number;
    readonly log: Log;
  },
): Extract<Inbound, { kind: "denied" }>[] {
  const denied: Extract<Inbound, { kind: "denied" }>[] = [];
  const acceptAll = to.store.transaction(() => {
    for (const update of updates) {
      const inbound = readUpdate(update, to);
      const work = toWork(inbound);
      const isNew = to.inbox.add(
        {
          updateId: update.update_id,
          sessionId: work?.sessionId ?? "",
          lane: work?.lane ?? "turn",
          updateJson: work ? JSON.stringify(update) : "",
          state: work ? "waiting" : "done",
        },
        to.now,
      );
      if (!isNew) continue;
      if (inbound.kind === "denied") denied.push(inbound);
      if (inbound.kind === "notice" && !isTooSoon(inbound, to)) {
        to.post(inbound.place, textMessage(inbound.html));
      }
    }
  });
  acceptAll.immediate();
  return denied;
}

/** One update that cannot be read must not hold up the others for ever. */
function readUpdate(
  update: Update,
  { audience, texts, log }: { audience: Audience; texts: () => Texts; log: Log },
): Inbound {
  try {
    return routeUpdate(update, audience, texts().telegram);
  } catch (error) {
    log("TELEGRAM_UPDATE_UNREADABLE", { update: update.update_id, reason: errorMessage(error) });
    return { kind: "ignored" };
  }
}

function toWork(inbound: Inbound): { sessionId: string; lane: Lane } | undefined {
  switch (inbound.kind) {
    case "text":
      return { sessionId: toSessionId(inbound.place), lane: "turn" };
    case "press":
    case "cancel":
      return { sessionId: toSessionId(inbound.place), lane: inbound.kind };
    case "ignored":
    case "notice":
    case "denied":
      return undefined;
    default:
      return inbound satisfies never;
  }
}

function isTooSoon(
  notice: Extract<Inbound, { kind: "notice" }>,
  { outbox, now }: { outbox: Outbox; now: number },
): boolean {
  const last = notice.stranger ? outbox.lastWrittenAt(String(notice.place.chatId)) : undefined;
  return last !== undefined && now - last < STRANGER_PAUSE_MS;
}
