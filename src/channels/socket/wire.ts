import { shorten } from "../../core/cut-text.ts";
import type { ConsoleAsked } from "../channel.ts";

/** The local socket's lines, one JSON object each; see `docs/socket.md`. */

/** What a client may send. */
export type ClientLine =
  | {
      readonly type: "hello";
      readonly version: number;
      readonly color?: boolean;
      /** It renders by itself: pieces say what they are, and none is coloured. */
      readonly formats?: boolean;
      /** It has a line that is written over, for how far something is. */
      readonly counts?: boolean;
      /** A person is at the terminal. */
      readonly person?: boolean;
    }
  | { readonly type: "message"; readonly session_id: string; readonly content: string }
  | { readonly type: "confirm_response"; readonly request_id: string; readonly approved: boolean }
  | {
      readonly type: "press";
      readonly session_id: string;
      /** One that the daemon does not know is answered with an error. */
      readonly act: string;
      readonly ref: string;
    }
  | { readonly type: "cancel"; readonly session_id: string }
  | { readonly type: "status" }
  | ({ readonly type: "console" } & ConsoleAsked);

/** What the daemon sends; `error` and `done` end the message they belong to. */
export type DaemonLine =
  | { readonly type: "token"; readonly content: string; readonly format?: Format }
  | {
      readonly type: "confirm";
      readonly request_id: string;
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "notice"; readonly content: string }
  | { readonly type: "status"; readonly status: Readonly<Record<string, unknown>> }
  | { readonly type: "console"; readonly answer: Readonly<Record<string, unknown>> }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly message: string };

/**
 * What a piece is: prose with marks, a diff, what is being done, or for the moment lines of what a
 * check prints, or how far it is; else lines of plain text.
 */
export type Format = "markdown" | "diff" | "step" | "output" | "count";

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
  const { content, ...rest } = line;
  for (let start = 0; start < content.length; ) {
    const end = start + MAX_TEXT_CHARS;
    const isInside = /[\uD800-\uDBFF]/.test(content.charAt(end - 1)); // of a character
    const piece = content.slice(start, isInside ? end - 1 : end);
    yield `${JSON.stringify({ ...rest, content: piece })}\n`;
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
    message: `ERR_SOCKET_PROTOCOL: Cannot understand the line "${shorten(line, 80)}": expected hello, message, confirm_response, press, cancel, status or console with their fields`,
  };
}

/** What came from the other end of the socket. */
export type ParsedDaemonLine =
  | { readonly kind: "line"; readonly line: DaemonLine }
  /** Of a newer version. */
  | { readonly kind: "unknown" }
  /** No daemon of ours says so: another program listens there, or a broken one. */
  | { readonly kind: "foreign" };

/** Parses a line of the daemon's; another program may listen there. */
export function parseDaemonLine(line: string): ParsedDaemonLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "foreign" };
  }
  if (isDaemonLine(value)) return { kind: "line", line: value };
  const type = toRecord(value)?.["type"];
  return typeof type === "string" && !DAEMON_TYPES.has(type)
    ? { kind: "unknown" }
    : { kind: "foreign" };
}

const DAEMON_TYPES: ReadonlySet<string> = new Set([
  "token",
  "confirm",
  "notice",
  "status",
  "console",
  "done",
  "error",
] satisfies DaemonLine["type"][]);

function isDaemonLine(value: unknown): value is DaemonLine {
  const line = toRecord(value);
  switch (line?.["type"]) {
    case "token":
    case "notice":
      return typeof line["content"] === "string";
    case "confirm": {
      const { request_id: id, tool, args } = line;
      return typeof id === "string" && typeof tool === "string" && toRecord(args) !== undefined;
    }
    case "status":
      return toRecord(line["status"]) !== undefined;
    case "console":
      return toRecord(line["answer"]) !== undefined;
    case "done":
      return true;
    case "error":
      return typeof line["message"] === "string";
    default:
      return false;
  }
}

/** An object with fields; an array or null is none. */
function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : undefined;
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
    case "press":
      return ["session_id", "act", "ref"].every((name) => typeof line[name] === "string");
    case "cancel":
      return typeof line["session_id"] === "string";
    case "status":
      return true;
    case "console":
      return isConsoleAsked(line);
    default:
      return false;
  }
}

function isConsoleAsked({ act, plain, id }: Readonly<Record<string, unknown>>): boolean {
  if (act === "open") return typeof plain === "boolean";
  if (act === "state" || act === "revoke") return typeof id === "string";
  return act === "list";
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

/** Under which id a conversation is kept that a terminal calls so. */
export function toSessionId(name: string): string {
  return `terminal:${name}`;
}
