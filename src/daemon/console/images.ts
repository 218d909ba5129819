import type { ReviewImage } from "../../channels/http/http-channel.ts";
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

/** A side of a file that is a picture; undefined: it is none, too large, or not kept. */
export function toImage(
  { changes, contents }: ChangeSet,
  n: number,
  side: "before" | "after",
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
  return type === undefined ? undefined : { type, bytes };
}
