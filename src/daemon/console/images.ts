import type { ReviewImage } from "../../channels/http/http-channel.ts";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { ChangeSet } from "../../transaction/change.ts";

/** What a page has to hold of one side of a file. */
const MOST_BYTES = 10 * 1024 * 1024;

/** How the bytes of each begin; nothing else is sent as it is: a text may have secrets in it. */
const BEGINNINGS: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n[^]\n/u],
  ["image/jpeg", /^\xff\xd8\xff/u],
  ["image/gif", /^GIF8[79]a/u],
  ["image/webp", /^RIFF[^]{4}WEBP/u],
];

/** A drawing is text: what it takes to draw it has no bound but this. */
const MOST_SVG_BYTES = 1024 * 1024;
/** Its declaration, and what is said of it. */
const MOST_BEFORE_ROOT = 4096;

/**
 * A side of a file that is a picture; undefined: it is none, too large, or not kept. A drawing is
 * sent with its secrets masked, as any text; what is in it runs nowhere where it is an image.
 */
export function toImage(
  { changes, contents }: ChangeSet,
  n: number,
  side: "before" | "after",
  redact: (text: string) => string,
): ReviewImage | undefined {
  const change = changes[n];
  const states = {
    before: change && "before" in change ? change.before : undefined,
    after: change && "after" in change ? change.after : undefined,
  };
  const bytes = contents.get(states[side]?.sha256 ?? "");
  if (!bytes || bytes.byteLength > MOST_BYTES) return undefined;
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const [type] = BEGINNINGS.find(([, pattern]) => pattern.test(start)) ?? [];
  if (type !== undefined) return { type, bytes };
  return change?.path.toLowerCase().endsWith(".svg") ? toDrawing(bytes, redact) : undefined;
}

/** Its root stands somewhere near its beginning; what else it is, the browser finds out. */
function toDrawing(bytes: Uint8Array, redact: (text: string) => string): ReviewImage | undefined {
  const text = bytes.byteLength > MOST_SVG_BYTES ? undefined : decodeUtf8(bytes);
  if (text === undefined || !/^\ufeff?\s*</u.test(text)) return undefined;
  const root = text.indexOf("<svg");
  if (root < 0 || root > MOST_BEFORE_ROOT) return undefined;
  return { type: "image/svg+xml", bytes: Buffer.from(redact(text)) };
}
