import { createHash, timingSafeEqual } from "node:crypto";

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

/** Where the channel listens, and the token that lets a program in. */
export interface HttpAccess {
  /** Address that is listened on; names of this machine are known as well. */
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The host label of the console, once there is one. */
  readonly label?: string | undefined;
}

/** What is required of who asks; see {@link ROUTES}. */
type Needs =
  | "nothing"
  /** A top-level navigation: the document itself tells nothing. */
  | "page"
  | "file"
  /** Of a routine's own. */
  | "own secret"
  /** A page of ours that has no session yet. */
  | "code"
  | "session"
  | "session or token"
  | "token";

interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly needs: Needs;
}

/** Everything that is answered, by who may ask; what is not in it needs the token, and is not there. */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: /^\/healthz$/u, needs: "nothing" },
  {
    method: "GET",
    path: /^\/(?:review\/[\w-]{1,64}|routines|settings(?:\/(?:doctor|log|people|browsers|spending))?|chat(?:\/[^/]{1,512})?|report|traces(?:\/[\w-]{1,128})?|workspaces(?:\/[^/]{1,256}){0,2})?$/u,
    needs: "page",
  },
  { method: "GET", path: /^\/assets\/[\w.-]{1,128}$/u, needs: "file" },
  { method: "POST", path: /^\/api\/routines\/[^/]+\/trigger$/u, needs: "own secret" },
  { method: "POST", path: /^\/api\/console\/login$/u, needs: "code" },
  { method: "POST", path: /^\/api\/console\/logout$/u, needs: "session" },
  { method: "GET", path: /^\/api\/console\/session$/u, needs: "session" },
  { method: "GET", path: /^\/api\/(?:inbox|events)$/u, needs: "session or token" },
  { method: "GET", path: /^\/api\/change-sets\//u, needs: "session or token" },
  {
    method: "POST",
    path: /^\/api\/change-sets\/\w{1,64}\/(?:draft|seen)$/u,
    needs: "session or token",
  },
  {
    method: "GET",
    path: /^\/api\/(?:doctor|log(?:\/follow)?|people|browsers|spending)$/u,
    needs: "session or token",
  },
  { method: "POST", path: /^\/api\/(?:people|browsers)$/u, needs: "session or token" },
  { method: "GET", path: /^\/api\/settings\/(?:config|keys)$/u, needs: "session or token" },
  {
    method: "POST",
    path: /^\/api\/settings\/config(?:\/(?:check|key))?$/u,
    needs: "session or token",
  },
  { method: "GET", path: /^\/api\/workspaces(?:\/|$)/u, needs: "session or token" },
  { method: "GET", path: /^\/api\/routines(?:\/[^/]+\/runs)?$/u, needs: "session or token" },
  {
    method: "GET",
    path: /^\/api\/(?:report|traces(?:\/[\w-]{1,128})?)$/u,
    needs: "session or token",
  },
  { method: "GET", path: /^\/api\/work\/[\w.:-]{1,64}$/u, needs: "session or token" },
  { method: "POST", path: /^\/api\/press$/u, needs: "session or token" },
  { method: "POST", path: /^\/api\/chat$/u, needs: "session or token" },
  { method: "GET", path: /^\/api\/chats(?:\/[^/]{1,512})?$/u, needs: "session or token" },
  { method: "GET", path: /^\/api\/status$/u, needs: "token" },
  { method: "GET", path: /^\/metrics$/u, needs: "token" },
];

/** What a request may get; the secrets of a session are looked at by who knows sessions. */
export type Verdict =
  | { readonly kind: "refused"; readonly status: 401 | 403 | 421; readonly message: string }
  /** Healthy or not, a routine that looks at its own secret, a file of the page. */
  | { readonly kind: "anybody" }
  | { readonly kind: "page"; readonly isPlain: boolean }
  /** With what the page has of a session from before, if anything. */
  | ({ readonly kind: "code" } & SessionProof)
  | { readonly kind: "owner" }
  | ({ readonly kind: "session" } & SessionProof);

/** What a page shows of its session: with a cookie, or `isPlain` without one. */
export interface SessionProof {
  readonly secret: string;
  readonly cookies: readonly string[];
  readonly isPlain: boolean;
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];
/** The cookie of a session. */
export const COOKIE = "papayu_session";

/**
 * Judges a request before anything is done for it, by strings that are compared and never parsed.
 * A page that reaches the port by a name of its own (DNS rebinding), from its own origin or from
 * another port of this machine gets nothing, whatever cookie its browser sends along.
 */
export function judgeRequest(head: RequestHead, access: HttpAccess): Verdict {
  const host = head.host?.toLowerCase() ?? "";
  const place = placeOf(host, access);
  if (!place) return misdirected(head.host, access);
  const needs = routeOf(head.method, head.path)?.needs ?? "token";
  if (head.isForwarded && needs !== "own secret") return deny("what was passed on is not answered");
  if (needs === "nothing") return judgeOrigin(head, host, access) ?? { kind: "anybody" };
  if (needs === "page" && (place !== "local" || isNavigation(head))) return judgePage(head, place);
  if (needs === "file") return judgeFile(head, place);
  const foreign = judgeOrigin(head, host, access);
  if (foreign) return foreign;
  if (needs === "own secret") return { kind: "anybody" };
  if (needs === "code") return judgeChange(head, host) ?? inPlace(place, toCode(head));
  if (needs !== "session" && head.authorization !== null) {
    return isToken(head.authorization, access.token) ? { kind: "owner" } : NO_TOKEN;
  }
  if (needs === "token" || needs === "page") return NO_TOKEN;
  return judgeSession(head, host, place) ?? NO_TOKEN;
}

/** Under which name it came: the console's own, one of this machine, or the address listened on. */
type Place = "console" | "local" | "beyond";

function placeOf(host: string, { port, label, host: address }: HttpAccess): Place | undefined {
  if (label !== undefined && host === `${label}.localhost:${port}`) return "console";
  if (LOOPBACK.some((name) => host === `${name}:${port}`)) return "local";
  return host === `${bracketed(address)}:${port}` ? "beyond" : undefined;
}

function misdirected(host: string | null, { port, host: address }: HttpAccess): Verdict {
  const names = [...new Set([...LOOPBACK, bracketed(address)])].map((name) => `${name}:${port}`);
  const message = `the Host "${host ?? ""}" is not known; use ${names.join(", ")}`;
  return { kind: "refused", status: 421, message };
}

function routeOf(method: string, path: string): Route | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return ROUTES.find((route) => route.method === asked && route.path.test(path));
}

/** Whether anything answers there. */
export function isRoute(method: string, path: string): boolean {
  return routeOf(method, path) !== undefined;
}

/** Other origins get nothing; programs have none. */
function judgeOrigin(
  { origin }: RequestHead,
  host: string,
  { port }: HttpAccess,
): Verdict | undefined {
  if (origin === null || origin === `http://${host}`) return undefined;
  const isOther = LOOPBACK.some((name) => host === `${name}:${port}`);
  if (isOther && LOOPBACK.some((name) => origin === `http://${name}:${port}`)) return undefined;
  return deny("requests from pages of other origins are not answered");
}

/** A browser that asks for a document to show; old ones say only that. */
function isNavigation({ fetchMode, accept }: RequestHead): boolean {
  return fetchMode === "navigate" || (fetchMode === null && /\btext\/html\b/u.test(accept ?? ""));
}

function judgePage(head: RequestHead, place: Place): Verdict {
  const isTop = (head.fetchMode ?? "navigate") === "navigate" && isDocument(head.fetchDest);
  return isTop ? inPlace(place, { kind: "page" }) : deny("the page is opened by itself");
}

function isDocument(dest: string | null): boolean {
  return dest === null || dest === "document";
}

function judgeFile({ fetchSite }: RequestHead, place: Place): Verdict {
  if (place === "beyond") return BEYOND;
  const isOwn = fetchSite === null || fetchSite === "same-origin" || fetchSite === "none";
  return isOwn ? { kind: "anybody" } : deny("pages of other origins get none of these files");
}

/** What changes something comes from our own page, which the browser has to say. */
function judgeChange({ origin, fetchSite }: RequestHead, host: string): Verdict | undefined {
  if (origin !== `http://${host}`) return deny("only the page itself may do this");
  return judgeSite(fetchSite);
}

function judgeSite(fetchSite: string | null): Verdict | undefined {
  if (fetchSite === null || fetchSite === "same-origin") return undefined;
  return deny("requests from other pages are not answered");
}

function toCode({ secret, cookie }: RequestHead) {
  return { kind: "code", secret: secret ?? "", cookies: cookiesOf(cookie) } as const;
}

/** Undefined: it shows no session. */
function judgeSession(head: RequestHead, host: string, place: Place): Verdict | undefined {
  const { method, secret, fetchSite } = head;
  if (secret === null) return undefined;
  const isReading = method === "GET" || method === "HEAD";
  const foreign = isReading ? judgeSite(fetchSite) : judgeChange(head, host);
  if (foreign) return foreign;
  return inPlace(place, { kind: "session", secret, cookies: cookiesOf(head.cookie) });
}

/** The console's own host has cookies; on this machine's, which every port shares, none counts. */
function inPlace<V extends { readonly kind: "page" | "code" | "session" }>(
  place: Place,
  verdict: V,
): Verdict | (V & { readonly isPlain: boolean }) {
  return place === "beyond" ? BEYOND : { ...verdict, isPlain: place === "local" };
}

/** Every value, whoever set it: a page of another port may have added one. */
function cookiesOf(cookie: string | null): readonly string[] {
  const start = `${COOKIE}=`;
  const pairs = (cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}

function deny(message: string): Verdict {
  return { kind: "refused", status: 403, message };
}

const BEYOND: Verdict = deny("the console is opened on the machine itself: papayu open");

const NO_TOKEN: Verdict = {
  kind: "refused",
  status: 401,
  message: 'send the header "Authorization: Bearer TOKEN" (http.token)',
};

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}

/** Compared in a time that tells nothing about how much of it was right. */
function isToken(authorization: string, token: string): boolean {
  const [, given = ""] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  return timingSafeEqual(digest(given), digest(token)) && token !== "";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
