import type { Message } from "grammy/types";

/** A file that came with a message. */
export interface Attachment {
  readonly fileId: string;
  /** As its sender calls it; photos and the like have no name of their own. */
  readonly name: string;
  /** As far as Telegram knows. */
  readonly sizeBytes: number | undefined;
}

/** The file of a message that is to be kept: a document, a photo, audio or video. */
export function attachmentOf(message: Message): Attachment | undefined {
  const { document, audio, video, video_note: note, message_id: id } = message;
  // Telegram sends every size there is, the largest last.
  const photo = message.photo?.at(-1);
  if (photo) return toAttachment(photo, `photo-${id}.jpg`);
  // An animation comes as a document, too.
  if (document) return toAttachment(document, `document-${id}`);
  if (audio) return toAttachment(audio, `audio-${id}.mp3`);
  if (video) return toAttachment(video, `video-${id}.mp4`);
  if (note) return toAttachment(note, `video-${id}.mp4`);
  return undefined;
}

function toAttachment(
  file: { readonly file_id: string; readonly file_size?: number; readonly file_name?: string },
  fallback: string,
): Attachment {
  return { fileId: file.file_id, name: file.file_name ?? fallback, sizeBytes: file.file_size };
}
