import { misuse, refuse } from "../refuse.ts";
import { sendFound } from "./found.ts";

/** Sends a text as a file into a private chat with the bot; false: there is no such chat. */
export type GiveText = (chat: string, name: string, text: string) => boolean;

const NAME = /^\w[\w.-]{0,99}$/u;

/**
 * What a page made of what it shows, for who opened it in Telegram: a frame there keeps no files, so
 * the bot sends it.
 */
export function giveFile(
  chat: string | undefined,
  body: string | Response,
  { giveText }: { readonly giveText: GiveText },
): Response {
  if (typeof body !== "string") return body;
  const { name, text } = parse(body);
  if (name === undefined || text === undefined) return misuse(400, 'send {"name", "text"}');
  if (!NAME.test(name)) return misuse(400, '"name" is letters, digits, ".", "-" and "_"');
  if (chat === undefined || !giveText(chat, name, text))
    return refuse(409, (say) => say.noChatForFile);
  return sendFound({ name });
}

function parse(body: string): Readonly<Record<"name" | "text", string | undefined>> {
  const none = { name: undefined, text: undefined };
  try {
    const value: unknown = JSON.parse(body);
    const { name, text } = { ...none, ...(typeof value === "object" ? value : {}) };
    const isText = (each: unknown): each is string => typeof each === "string" && each !== "";
    return { name: isText(name) ? name : undefined, text: isText(text) ? text : undefined };
  } catch {
    return none;
  }
}
