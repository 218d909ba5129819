import { AppError } from "../core/app-error.ts";

/** One event of a stream: what its `data:` lines say, and its kind, empty where it has none. */
export interface ServerEvent {
  readonly kind: string;
  readonly text: string;
}

/**
 * No model says more in one piece, though the arguments of a call may come as one; and what is
 * parsed takes many times its length.
 */
const MAX_EVENT_CHARS = 2 * 1024 * 1024;

/**
 * The events of a stream, each held only until it is complete. Comments, which keep a line alive,
 * are none; nor is what a broken stream leaves half said.
 *
 * @throws AppError LLM_REQUEST for an event that does not end
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let fields: string[] = [];
  let sizeChars = 0;
  for await (const line of readLines(bytes, () => MAX_EVENT_CHARS - sizeChars)) {
    if (line === "") {
      const event = toEvent(fields);
      fields = [];
      sizeChars = 0;
      if (event) yield event;
    } else if (!line.startsWith(":")) {
      fields.push(line);
      sizeChars += line.length + 1;
    }
  }
}

/** Whole lines; the pieces of one are joined once. */
async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  room: () => number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let begunChars = 0;
  for await (const chunk of bytes) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    let piece = first;
    for (const next of others) {
      yield [...begun, piece].join("").replace(/\r$/u, "");
      begun = [];
      begunChars = 0;
      piece = next;
    }
    if (piece !== "") begun.push(piece);
    begunChars += piece.length;
    if (begunChars > room()) {
      throw new AppError("LLM_REQUEST", "one piece of the answer is over 2 MiB");
    }
  }
}

/** Undefined: nothing was said. */
function toEvent(fields: readonly string[]): ServerEvent | undefined {
  const read = (name: string) =>
    fields.flatMap((line) => {
      const [, found, value = ""] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
      return found === name ? [value] : [];
    });
  const data = read("data");
  return data.length === 0
    ? undefined
    : { kind: read("event").at(-1) ?? "", text: data.join("\n") };
}
