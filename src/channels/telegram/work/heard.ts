import { isFields, parseJsonAs } from "../../../core/guards.ts";
import type { InboxRow } from "../../../store/chats/chats.ts";
import type { UpdateContext } from "./update-context.ts";

/** Beside the update in its row; of what Telegram sends nothing of this name is stored. */
const HEARD = "papayu_heard";

/** What was written down of a voice message at an earlier try, which was paid for; undefined: nothing yet. */
export function heardBefore({ updateJson }: Pick<InboxRow, "updateJson">): string | undefined {
  const heard = parseJsonAs(updateJson, isFields)?.[HEARD];
  return typeof heard === "string" ? heard : undefined;
}

/** Keeps it with the row, and forgets it with the row; `show` is of the same commit. */
export function keepHeard(
  { updateId, updateJson }: InboxRow,
  heard: string,
  { bot, storage: { inbox, commit } }: Pick<UpdateContext, "bot" | "storage">,
  show: () => void,
): Promise<void> {
  const keep = () => {
    const update = parseJsonAs(updateJson, isFields) ?? {};
    inbox.replace(updateId, JSON.stringify({ ...update, [HEARD]: heard }));
    show();
  };
  return commit(keep, { isSynced: false, signal: bot.signal });
}
