import type { PeopleFacts } from "../../../channels/http/http-channel.ts";
import { queueWelcome } from "../../../channels/telegram/welcome.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import { createPairing } from "../../../store/chats/chats.ts";
import type { App } from "../../app/app.ts";

/** Who may speak to the bot, and who asks to; by what `papayu pair` uses. */
export function createPeople(
  { current, state, clock }: Pick<App, "current" | "state" | "clock">,
  owner: () => string | undefined,
): PeopleFacts {
  const { store, known } = state;
  const pairing = createPairing(store);
  const show = (text: string) => toVisibleText(current.agent.core.redact(text));
  const toIso = (instant: number) => new Date(instant).toISOString();
  /** The channel remembers who was let in; that it is another list is told to it. */
  function changing<T>(change: () => T): T {
    const done = change();
    known.forget();
    return done;
  }
  return {
    list() {
      const waiting = pairing.waiting(clock.now());
      return {
        waiting: waiting.map(({ userId, name, askedAt, expiresAt }) => ({
          user_id: userId,
          name: show(name),
          asked_at: toIso(askedAt),
          expires_at: toIso(expiresAt),
        })),
        paired: pairing.paired().map(({ userId, name, pairedAt }) => ({
          user_id: userId,
          name: show(name),
          paired_at: toIso(pairedAt),
        })),
        allowed_user_ids: current.loaded.config.telegram.allowed_user_ids,
        owner: Number(/^telegram:(\d+)$/u.exec(owner() ?? "")?.[1] ?? 0) || null,
      };
    },
    pair(code) {
      const now = clock.now();
      const result = changing(() => pairing.pair(code, now));
      if (result.kind !== "paired") return result;
      const { userId, name } = result;
      queueWelcome(store, userId, { text: current.texts().telegram.paired, now });
      return { kind: "paired", user_id: userId, name: show(name) };
    },
    refuse: (userId) => pairing.refuse(userId, clock.now()),
    remove: (userId) => changing(() => pairing.remove(userId)),
  };
}
