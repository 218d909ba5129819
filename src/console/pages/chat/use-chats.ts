import { type Signal, useSignal } from "@preact/signals";
import { messageOf, type Page, useNewest } from "../../page/page.ts";
import { type Chat, readChats } from "./wire.ts";

/** Conversations as a list shows them. */
export interface Chats {
  readonly chats: Signal<readonly Chat[] | undefined>;
  /** Behind which there are more. */
  readonly older: Signal<string | undefined>;
  readonly failure: Signal<string>;
  readonly readOlder: () => Promise<void>;
}

/** Reads the newest ones, and again with what is said in another than the first. */
export function useChats({ client, feed: { news } }: Pick<Page, "client" | "feed">): Chats {
  const chats = useSignal<readonly Chat[] | undefined>(undefined);
  const older = useSignal<string | undefined>(undefined);
  const failure = useSignal("");
  const read = async (from: string) => readChats(await client.get(`/api/chats${from}`));
  const failed = (error: unknown) => (failure.value = messageOf(error));
  const heard = news.heard.value.id;
  // What is said in the newest one moves nothing.
  const isNewest = heard !== undefined && chats.value?.[0]?.id === heard;
  useNewest(
    isNewest ? undefined : () => read(""),
    {
      take(found) {
        chats.value = found.chats;
        older.value = found.older;
        failure.value = "";
      },
      failed,
    },
    [news.changes.value, news.heard.value],
  );
  async function readOlder(): Promise<void> {
    const before = older.value;
    if (before === undefined) return;
    try {
      const found = await read(`?before=${encodeURIComponent(before)}`);
      if (older.value !== before) return; // pressed twice, or read anew
      chats.value = [...(chats.value ?? []), ...found.chats];
      older.value = found.older;
    } catch (error) {
      failed(error);
    }
  }
  return { chats, older, failure, readOlder };
}
