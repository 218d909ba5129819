/** Headers as a caller gives them. */
export type RequestHeaders = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;
/** Visible ASCII and what Latin-1 has above it, spaces and tabs; no CR, LF, NUL or DEL. */
const VALUE = /^[\t\u{20}-\u{7e}\u{80}-\u{ff}]*$/u;

/** What belongs to the connection or is worked out here; a caller's own would desynchronise it. */
const OURS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|content-length|expect|accept-encoding)$/u;

/** What turns a request into one for a cloud's metadata service. */
const METADATA = /^(?:metadata|metadata-flavor|x-google-metadata-request|x-aws-ec2-metadata-.*)$/u;

/** What says nothing about the caller and may go to another origin after a redirect. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
]);

/** The headers to send, or why one of them cannot be. */
type HeadersResult =
  | { readonly ok: true; readonly headers: RequestHeaders }
  | { readonly ok: false; readonly reason: string };

/** The headers to send: names in lower case, without those that are ours to set. */
export function toRequestHeaders(headers: RequestHeaders): HeadersResult {
  const kept: Record<string, string> = {
    "user-agent": "Mozilla/5.0 (compatible; papa-yu)",
    accept: "text/html, application/json;q=0.9, */*;q=0.8",
  };
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!NAME.test(name) || !VALUE.test(value))
      return { ok: false, reason: `${JSON.stringify(given)} is not a valid header` };
    if (!isReservedHeader(name)) kept[name] = value;
  }
  return { ok: true, headers: { ...kept, "accept-encoding": "gzip, deflate, br" } };
}

/** Whether a header is ours to set, or nobody's; a caller's own is never sent. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OURS.test(lower) || METADATA.test(lower);
}

/** The headers that survive a redirect to another origin: no credentials, no cookies. */
export function dropPrivateHeaders(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)));
}
