import { busy, refuse } from "../../refuse.ts";
import type { SentFile } from "../chat-facts.ts";

/** Files on their way to who asked for them. */
export interface Downloads {
  /** What `find` gives, as an attachment: never as a document of ours, whatever is in it. */
  give(find: () => Promise<SentFile | undefined>): Promise<Response>;
}

/** So many go at a time; each is as large in memory as it is. */
const MOST_AT_ONCE = 4;
/** One may take so long: the largest, through a tunnel. */
const WITHIN_MS = 300_000;
/** What a slow reader has waiting beside the file itself. */
const PIECE_BYTES = 256 * 1024;

/** Nothing is on its way yet. */
export function createDownloads(withinMs = WITHIN_MS): Downloads {
  let running = 0;
  return {
    async give(find) {
      if (running >= MOST_AT_ONCE) return busy((say) => say.filesGoing(MOST_AT_ONCE));
      running += 1;
      const leave = () => void (running -= 1);
      let isGiven = false;
      try {
        const file = await find();
        if (!file) return refuse(404, (say) => say.fileGone);
        const body = inPieces(file.bytes, { leave, withinMs });
        isGiven = true;
        return new Response(body, { headers: toHeaders(file.name) });
      } finally {
        if (!isGiven) leave();
      }
    },
  };
}

/** The bytes as views on them, no faster than they are read; `leave` is called once, however it ends. */
function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
  { leave, withinMs }: { readonly leave: () => void; readonly withinMs: number },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let late: ReturnType<typeof setTimeout> | undefined;
  let at = 0;
  const end = () => {
    if (late === undefined) return;
    clearTimeout(late);
    late = undefined;
    leave();
  };
  return new ReadableStream({
    start(controller) {
      late = setTimeout(() => {
        end();
        controller.error(new Error("the file was not read in time"));
      }, withinMs);
    },
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += PIECE_BYTES)));
      if (at < bytes.length) return;
      end();
      controller.close();
    },
    cancel: end,
  });
}

function toHeaders(name: string): Readonly<Record<string, string>> {
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/gu, toHex);
  return {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="file"; filename*=UTF-8''${encoded}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "no-store",
  };
}

/** What encodeURIComponent leaves and a header must not have. */
function toHex(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
