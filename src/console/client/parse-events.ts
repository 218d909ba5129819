/** An event of a stream, as the server sent it. */
export interface StreamEvent {
  readonly id?: string;
  readonly data: string;
}

/** No event of ours is longer; what is, is not kept. */
const MOST_CHARS = 4 * 1024 * 1024;

/**
 * Reads a stream of events piece by piece: `data` and `id` of the format, the rest of it is not
 * sent. A comment is an event without anything, so that whoever listens knows that somebody is there.
 */
export function createEventParser(
  tell: (event: StreamEvent | "alive") => void,
): (piece: string) => void {
  let rest = "";
  let data: string[] = [];
  let id: string | undefined;
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_CHARS) throw new Error("an event is longer than any of papa-yu's");
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
