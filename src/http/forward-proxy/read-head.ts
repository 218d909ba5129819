/** What a program asks a proxy for, as far as it may. */
export type ProxyRequest =
  /** A connection that the proxy does not look into. */
  | { readonly kind: "tunnel"; readonly url: string }
  /** One request without a body, in the words in which it is sent on. */
  | { readonly kind: "request"; readonly url: string; readonly head: string }
  | { readonly kind: "refused"; readonly status: Refusal };

/** Why the proxy does not do it. */
export type Refusal =
  | "400 Bad Request"
  | "403 Forbidden"
  | "405 Method Not Allowed"
  | "408 Request Timeout"
  | "431 Request Header Fields Too Large"
  | "502 Bad Gateway";

/** A longer head is nobody's that wants a package. */
export const MOST_HEAD_BYTES = 16 * 1024;
const MOST_HEADERS = 100;

const REQUEST_LINE = /^([A-Z]{1,20}) ([!-~]{1,8192}) HTTP\/1\.[01]$/u;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*([\t -~\x80-\xff]*)$/u;
/** A name and a port, and nothing that two readers may read as two names. */
const AUTHORITY = /^([A-Za-z0-9_.-]{1,253}):(80|443)$/u;
/** Which of them is meant for one connection only, or tells who somebody is. */
const DROPPED =
  /^(?:connection|keep-alive|te|trailer|upgrade|expect|host|content-length|transfer-encoding|authorization|cookie|proxy-.*)$/u;

/**
 * Reads the head of a request to a proxy, without the empty line that ends it, as Latin-1. It is
 * read strictly: what could be read in two ways is refused, as the other reader may be the server.
 */
export function readProxyHead(text: string): ProxyRequest {
  const [first = "", ...lines] = text.split("\r\n");
  const [, method = "", target = ""] = REQUEST_LINE.exec(first) ?? [];
  if (method === "" || lines.length > MOST_HEADERS) {
    return refused(method === "" ? "400 Bad Request" : "431 Request Header Fields Too Large");
  }
  const headers = lines.map((line) => HEADER.exec(line));
  if (!headers.every((each) => each !== null)) return refused("400 Bad Request");
  const pairs = headers.map(([, name = "", value = ""]) => [name, value.trim()] as const);
  if (pairs.some(hasBody)) return refused("400 Bad Request");
  if (method === "CONNECT") return readTunnel(target);
  if (method !== "GET" && method !== "HEAD") return refused("405 Method Not Allowed");
  return readRequest(method, target, pairs);
}

type Header = readonly [name: string, value: string];

/** Where a body ends is what readers disagree about, and who wants a package sends none. */
function hasBody([name, value]: Header): boolean {
  const lower = name.toLowerCase();
  return lower === "transfer-encoding" || (lower === "content-length" && value !== "0");
}

function readTunnel(target: string): ProxyRequest {
  const [, host, port] = AUTHORITY.exec(target) ?? [];
  if (host === undefined) return refused("403 Forbidden");
  return { kind: "tunnel", url: `${port === "443" ? "https" : "http"}://${host}/` };
}

function readRequest(method: string, target: string, headers: readonly Header[]): ProxyRequest {
  // The parser forgives much: another scheme, "\" for "/", a name without slashes before it.
  const isAbsolute = /^http:\/\/[A-Za-z0-9_.-]{1,253}(?::80)?(?:[/?][!-~]*)?$/u.test(target);
  const url = isAbsolute && !/[\\#]/u.test(target) ? URL.parse(target) : null;
  if (url === null) return refused(isPlainHttp(target) ? "403 Forbidden" : "400 Bad Request");
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((each) => each.trim().toLowerCase())),
  );
  const kept = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !DROPPED.test(lower) && !named.has(lower);
  });
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  return { kind: "request", url: `http://${url.host}/`, head: `${lines.join("\r\n")}\r\n\r\n` };
}

function isPlainHttp(target: string): boolean {
  return /^http:\/\//iu.test(target);
}

function refused(status: Refusal): ProxyRequest {
  return { kind: "refused", status };
}
