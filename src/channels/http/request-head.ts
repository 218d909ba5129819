/** All of a request that decides whether it is let in: its line and its headers, as they came. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly authorization: string | null;
  readonly accept: string | null;
  /** What browsers say of who asks; no page can set these. */
  readonly fetchSite: string | null;
  readonly fetchMode: string | null;
  readonly fetchDest: string | null;
  /** The secret that the page keeps. */
  readonly secret: string | null;
  readonly cookie: string | null;
  /** Somebody passed it on: it carries what proxies and tunnels add. */
  readonly isForwarded: boolean;
}

/**
 * What proxies and tunnels add when they pass a request on, each by its own habit. One that gives
 * the request a name of this machine in place of its own is known by this alone.
 */
const FORWARDING =
  /^(?:x-(?:original-)?forwarded(?:-|$)|x-(?:real|client|cluster-client)-ip$|x-original-host$|true-client-ip$|(?:fastly-)?client-ip$|cf-|cdn-loop$|tailscale-|forwarded(?:-|$)|via$)/iu;

/** What of a request decides whether it is let in. */
export function toHead({ method, headers }: Request, path: string): RequestHead {
  return {
    method,
    path,
    host: headers.get("host"),
    origin: headers.get("origin"),
    authorization: headers.get("authorization"),
    accept: headers.get("accept"),
    fetchSite: headers.get("sec-fetch-site"),
    fetchMode: headers.get("sec-fetch-mode"),
    fetchDest: headers.get("sec-fetch-dest"),
    secret: headers.get("x-papayu-session"),
    cookie: headers.get("cookie"),
    isForwarded: [...headers.keys()].some((name) => FORWARDING.test(name)),
  };
}
