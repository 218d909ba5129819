import type { FileEvent } from "../../channel.ts";
import type { Message } from "../message/message.ts";
import type { Renderer } from "./renderer.ts";

/** What Telegram shows as a picture, and takes as one. */
const PHOTO = /\.(png|jpe?g|webp)$/iu;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** A file as a picture where it is one, else as a document. */
export function renderFile(
  { workspace, path, absolute, sha256, sizeBytes }: FileEvent,
  { texts: { file }, clean }: Renderer,
): Message {
  const shown = clean(path);
  return {
    kind: "file",
    absolute,
    sha256,
    filename: shown.slice(shown.lastIndexOf("/") + 1),
    caption: `${clean(workspace)}: ${shown}`,
    isPhoto: PHOTO.test(path) && sizeBytes <= MAX_PHOTO_BYTES,
    otherwise: file.notSent(shown),
    buttons: [],
  };
}
