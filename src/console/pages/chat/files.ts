import { toVisibleText } from "../../../core/visible-text.ts";
import { type Client, json } from "../../client/client.ts";

/** What the API takes at a time, and how large each may be. */
export const MOST_FILES = 10;
/** As large as Telegram hands them out. */
export const MOST_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Sends files that are to come with a message, one after another; those that were taken stay in the
 * workspace when a later one is not.
 */
export async function sendFiles(
  client: Pick<Client, "upload">,
  conversation: string,
  files: readonly File[],
  leaving?: AbortSignal,
): Promise<readonly { readonly id: string; readonly path: string }[]> {
  const sent: { readonly id: string; readonly path: string }[] = [];
  for (const file of files) {
    const query = new URLSearchParams({ conversation, name: file.name });
    const taken = json.fields(await client.upload(`/api/files?${query}`, file, leaving));
    sent.push({ id: json.text(taken["file_id"]), path: json.text(taken["path"]) });
  }
  return sent;
}

/** Brings a file that was given in a conversation to where the browser keeps what it loads. */
export async function saveFile(
  client: Pick<Client, "blob">,
  conversation: string,
  { ref, path }: { readonly ref: string; readonly path: string },
): Promise<void> {
  const from = `/api/chats/${encodeURIComponent(conversation)}/files/${encodeURIComponent(ref)}`;
  const url = URL.createObjectURL(await client.blob(from));
  const link = document.createElement("a");
  link.href = url;
  link.download = toVisibleText(path.split("/").at(-1) ?? "");
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
