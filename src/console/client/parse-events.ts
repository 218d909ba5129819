/** An event of a stream, as the server sent it. */
export interface StreamEvent {
  readonly id?: string;
  readonly data: string;
}

/** A diff or an answer of any size that a browser can show is shorter; what is longer is not kept. */
const MOST_CHARS = 256 * 1024 * 1024;

/**
 * Reads a stream of events piece by piece: `data` and `id` of the format, the rest of it is not
 * sent. A comment is an event without anything, so that whoever listens knows that somebody is there.
 */
export function createEventParser(
  tell: (event: StreamEvent | "alive") => void,
): (piece: string) => void {
  // Not joined before its end is there: of a long line each piece would read all before it again.
  let rest: string[] = [];
  let restChars = 0;
  let data: string[] = [];
  let id: string | undefined;
  return (piece) => {
    rest.push(piece);
    restChars += piece.length;
    if (restChars > MOST_CHARS) throw new Error("an event is longer than any of papa-yu's");
    if (!piece.includes("\n")) return;
    const lines = rest.join("").split("\n");
    rest = [lines.pop() ?? ""];
    restChars = rest[0]?.length ?? 0;
    for (const each of lines) {
      const line = each.endsWith("\r") ? each.slice(0, -1) : each;
      if (line.startsWith(":")) tell("alive");
      else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /u, ""));
      else if (line.startsWith("id:")) id = line.slice(3).trim();
      else if (line === "" && data.length > 0) {
        tell({ ...(id !== undefined && { id }), data: data.join("\n") });
        data = [];
        id = undefined;
      }
    }
  };
}
