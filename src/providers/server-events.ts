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

/** Reads a stream as it comes. */
export interface EventReader {
  /** The events that a piece completes. */
  take(piece: Uint8Array): readonly ServerEvent[];
  /** The event that the end of the stream may have cut short: without the blank line behind it. */
  end(): readonly ServerEvent[];
}

/**
 * Reads the events of a stream piece by piece, each held only until it is complete. Comments, which
 * keep a line alive, are none. It throws AppError
 * LLM_REQUEST for an event that does not end.
 */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  let fields: string[] = [];
  let fieldsChars = 0;
  /** The pieces of a line that has begun; they are joined once. */
  let begun: string[] = [];
  let begunChars = 0;
  /** A line feed behind it, in the next piece, belongs to the same end of a line. */
  let endsInReturn = false;

  function takeLine(line: string, events: ServerEvent[]): void {
    if (line === "") {
      const event = toEvent(fields);
      fields = [];
      fieldsChars = 0;
      if (event) events.push(event);
    } else if (!line.startsWith(":")) {
      fields.push(line);
      fieldsChars += line.length + 1;
    }
  }

  function takeText(piece: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    const text = endsInReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece !== "") endsInReturn = piece.endsWith("\r");
    const lines = text.split(/\r\n|[\r\n]/u);
    const last = lines.pop() ?? "";
    for (const line of lines) {
      const whole = begun.length > 0 ? [...begun, line].join("") : line;
      if (begun.length > 0) [begun, begunChars] = [[], 0];
      takeLine(whole, events);
    }
    if (last !== "") begun.push(last);
    begunChars += last.length;
    if (begunChars + fieldsChars > MAX_EVENT_CHARS) {
      throw new AppError("LLM_REQUEST", "one piece of the answer is over 2 MiB");
    }
    return events;
  }

  return {
    take: (piece) => takeText(decoder.decode(piece, { stream: true })),
    end: () => takeText(`${decoder.decode()}\n\n`),
  };
}

/** Undefined: nothing was said, as the standard has it, or only a blank. */
function toEvent(fields: readonly string[]): ServerEvent | undefined {
  let kind = "";
  let text: string | undefined;
  for (const line of fields) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const from = colon < 0 ? line.length : colon + (line.charAt(colon + 1) === " " ? 2 : 1);
    if (name === "event") kind = line.slice(from);
    if (name !== "data") continue;
    text = text === undefined ? line.slice(from) : `${text}\n${line.slice(from)}`;
  }
  return text === undefined || text.trim() === "" ? undefined : { kind, text };
}
