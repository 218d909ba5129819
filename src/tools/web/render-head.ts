import { STATUS_CODES } from "node:http";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { withoutHidden } from "../../core/visible-text.ts";
import type { OpenResponse } from "../../http/fetch-guarded.ts";
import type { ResponseHead } from "../../http/fetch-result.ts";

/** Headers that say what to do next, as they are written; of the rest by {@link LIMITS}. */
const TOLD: ReadonlyMap<string, string> = new Map(
  (
    "Location Content-Location Link ETag Last-Modified Retry-After Allow WWW-Authenticate " +
    "Accept-Ranges Content-Range Content-Disposition"
  )
    .split(" ")
    .map((name) => [name.toLowerCase(), name] as const),
);
/** How much may be asked for, by whatever name. */
const LIMITS = /^(?:x-)?rate-?limit(?:-[a-z-]+)?$/u;
/** Those that let a client in, whoever made up their names, and say nothing. */
const PRIVATE =
  /cookie|authorization|authentication-info|(?:^|-)(?:auth|token|session|secret|api-?key)(?:-|$)/u;

const MAX_VALUE_LENGTH = 500;
/** Headers with addresses in them. */
const MAX_ADDRESS_LENGTH = 2048;
const MAX_LINES = 24;
const MAX_ALL_LINES = 100;

/**
 * What an answer says before its body: status, address, type and size, and the headers that a
 * program needs. The server chose their values: each is on one line, bounded, with nothing hidden.
 */
export function renderHead({ body, ...head }: OpenResponse): string {
  return [...firstLines(head), renderType(head, body), ...toldLines(head)].join("\n");
}

/** {@link renderHead} of an answer without a body, with every header but cookies and tokens. */
export function renderWholeHead(head: ResponseHead): string {
  const others = Object.entries(head.headers)
    .filter(([name]) => !PRIVATE.test(name) && !isTold(name))
    .map(([name, value]) => `${name}: ${toLine(value)}`);
  const shown = firstOf(others, MAX_ALL_LINES).lines(String, tellMore);
  return [...firstLines(head), ...toldLines(head), ...shown].join("\n");
}

/** The reason is the standard's, not the server's. */
function firstLines({ status, url }: ResponseHead): readonly string[] {
  return [`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(), url.replace(/#.*$/su, "")];
}

function renderType({ headers }: ResponseHead, body: OpenResponse["body"]): string {
  const type = toLine(headers["content-type"] ?? "").trim() || "no content type";
  return `${type}, ${renderSize(headers, body)}`;
}

/** As it was read; as it is stated where only its beginning was. */
function renderSize(headers: ResponseHead["headers"], body: OpenResponse["body"]): string {
  if (body.isWhole()) return `${body.readBytes()} bytes`;
  const { "content-length": length = "", "content-encoding": coding = "identity" } = headers;
  if (coding === "identity" && /^\d{1,15}$/u.test(length)) return `${length} bytes`;
  return body.readBytes() === 0 ? "size not stated" : `more than ${body.readBytes()} bytes`;
}

function isTold(name: string): boolean {
  return TOLD.has(name) || LIMITS.test(name);
}

function toldLines({ headers, url }: ResponseHead): readonly string[] {
  const told = Object.entries(headers).filter(([name]) => isTold(name));
  return firstOf(told, MAX_LINES).lines(([name, value]) => {
    const full = name === "location" ? (URL.parse(value, url)?.href ?? value) : value;
    const most = name === "location" || name === "link" ? MAX_ADDRESS_LENGTH : MAX_VALUE_LENGTH;
    return `${TOLD.get(name) ?? name}: ${toLine(full, most)}`;
  }, tellMore);
}

function tellMore(left: number): string {
  return `… ${left} more headers are left out`;
}

function toLine(value: string, most = MAX_VALUE_LENGTH): string {
  return shorten(withoutUsers(withoutHidden(value)).replace(/\s+/gu, " "), most);
}

/** A password in an address is for nobody, and no call takes such an address. */
function withoutUsers(value: string): string {
  return value.replace(/(?<=:\/\/)[^\s/?#"<>]*@/gu, "");
}
