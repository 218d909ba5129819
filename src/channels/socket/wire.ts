/** The local socket's lines, one JSON object each; see `docs/socket.md`. */

/** What a client may send. */
export type ClientLine =
  | {
      readonly type: "hello";
      readonly version: number;
      readonly color?: boolean;
      /** A person sits there. */
      readonly person?: boolean;
    }
  | { readonly type: "message"; readonly session_id: string; readonly content: string }
  | { readonly type: "confirm_response"; readonly request_id: string; readonly approved: boolean }
  | { readonly type: "cancel"; readonly session_id: string }
  | { readonly type: "status" };

/** What the daemon sends; `error` and `done` end the message they belong to. */
export type DaemonLine =
  | { readonly type: "token"; readonly content: string }
  | {
      readonly type: "confirm";
      readonly request_id: string;
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "notice"; readonly content: string }
  | { readonly type: "status"; readonly status: Readonly<Record<string, unknown>> }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly message: string };

/** Longest line either side accepts, in UTF-16 units. */
export const MAX_LINE_CHARS = 1024 * 1024;

/** Longest text in one line: as JSON no text is more than six times as long. */
const MAX_TEXT_CHARS = 64 * 1024;

/** A line of the daemon's as it is sent; a long text goes out as several lines in a row. */
export function* encodeLine(line: DaemonLine): Generator<string> {
  if (line.type !== "token" && line.type !== "notice") {
    yield `${JSON.stringify(line)}\n`;
    return;
  }
  const { type, content } = line;
  for (let start = 0; start < content.length; ) {
    const end = start + MAX_TEXT_CHARS;
    const isInside = /[\uD800-\uDBFF]/.test(content.charAt(end - 1)); // of a character
    const piece = content.slice(start, isInside ? end - 1 : end);
    yield `${JSON.stringify({ type, content: piece })}\n`;
    start += piece.length;
  }
}

/** A line as a client line, or what is wrong with it. */
export function parseClientLine(
  line: string,
):
  | { readonly ok: true; readonly line: ClientLine }
  | { readonly ok: false; readonly message: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return {
      ok: false,
      message: "ERR_SOCKET_PROTOCOL: Cannot read the line: it is no JSON; send one object per line",
    };
  }
  if (isClientLine(value)) return { ok: true, line: value };
  return {
    ok: false,
    message: `ERR_SOCKET_PROTOCOL: Cannot understand the line "${line.slice(0, 80)}": expected hello, message, confirm_response, cancel or status with their fields`,
  };
}

function isClientLine(value: unknown): value is ClientLine {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const line: Record<string, unknown> = { ...value };
  switch (value.type) {
    case "hello":
      return line["version"] === 1;
    case "message":
      return typeof line["session_id"] === "string" && typeof line["content"] === "string";
    case "confirm_response":
      return typeof line["request_id"] === "string" && typeof line["approved"] === "boolean";
    case "cancel":
      return typeof line["session_id"] === "string";
    case "status":
      return true;
    default:
      return false;
  }
}

/** Cuts a byte stream into lines; a line over the limit is given as undefined and skipped. */
export function createLineSplitter(
  onLine: (line: string | undefined) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let skipping = false;
  return (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (skipping || line.length > MAX_LINE_CHARS) onLine(undefined);
      else if (line.trim() !== "") onLine(line);
      skipping = false;
    }
    if (rest.length > MAX_LINE_CHARS) {
      rest = "";
      skipping = true;
    }
  };
}
