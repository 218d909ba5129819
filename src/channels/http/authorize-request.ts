import { createHash, timingSafeEqual } from "node:crypto";
import { authorizePublic } from "./authorize-public.ts";
import type { RequestHead } from "./request-head.ts";
import { deny, routeOf, type Verdict } from "./routes.ts";

/** Where the channel listens, and the token that lets a program in. */
export interface HttpAccess {
  /** Address that is listened on; names of this machine are known as well. */
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The host label of the console, once there is one. */
  readonly label?: string | undefined;
  /** The host of `http.public_url`, as browsers send it; a name of this machine it never is. */
  readonly publicHost?: string | undefined;
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];
/** The cookie of a session. */
export const COOKIE = "papayu_session";

/**
 * Decides on a request before anything is done for it, by strings that are compared and never parsed.
 * A page that reaches the port by a name of its own (DNS rebinding), from its own origin or from
 * another port of this machine gets nothing, whatever cookie its browser sends along.
 */
export function authorizeRequest(head: RequestHead, access: HttpAccess): Verdict {
  const host = head.host?.toLowerCase() ?? "";
  if (host !== "" && host === access.publicHost) return authorizePublic(head, host);
  const place = placeOf(host, access);
  if (!place) return misdirected(head.host, access);
  const needs = routeOf(head.method, head.path)?.needs ?? "token";
  if (head.isForwarded && needs !== "own secret") return deny("what was passed on is not answered");
  if (needs === "nothing") return checkOrigin(head, host, access) ?? { kind: "anybody" };
  if (needs === "page" && (place !== "local" || isNavigation(head))) return checkPage(head, place);
  if (needs === "file") return checkFile(head, place);
  const foreign = checkOrigin(head, host, access);
  if (foreign) return foreign;
  if (needs === "own secret") return { kind: "anybody" };
  if (needs === "init data" || needs === "app page")
    return deny("this is answered by the host of http.public_url alone");
  if (needs === "code") return checkChange(head, host) ?? inPlace(place, toCode(head));
  if (needs !== "session" && head.authorization !== null) {
    return isToken(head.authorization, access.token) ? { kind: "owner" } : NO_TOKEN;
  }
  if (needs === "token" || needs === "page") return NO_TOKEN;
  return checkSession(head, host, place) ?? NO_TOKEN;
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

/** Other origins get nothing; programs have none. */
function checkOrigin(
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

function checkPage(head: RequestHead, place: Place): Verdict {
  const isTop = (head.fetchMode ?? "navigate") === "navigate" && isDocument(head.fetchDest);
  return isTop ? inPlace(place, { kind: "page" }) : deny("the page is opened by itself");
}

function isDocument(dest: string | null): boolean {
  return dest === null || dest === "document";
}

function checkFile({ fetchSite }: RequestHead, place: Place): Verdict {
  if (place === "beyond") return BEYOND;
  const isOwn = fetchSite === null || fetchSite === "same-origin" || fetchSite === "none";
  return isOwn ? { kind: "anybody" } : deny("pages of other origins get none of these files");
}

/** What changes something comes from our own page, which the browser has to say. */
function checkChange({ origin, fetchSite }: RequestHead, host: string): Verdict | undefined {
  if (origin !== `http://${host}`) return deny("only the page itself may do this");
  return checkSite(fetchSite);
}

function checkSite(fetchSite: string | null): Verdict | undefined {
  if (fetchSite === null || fetchSite === "same-origin") return undefined;
  return deny("requests from other pages are not answered");
}

function toCode({ secret, cookie }: RequestHead) {
  return { kind: "code", secret: secret ?? "", cookies: cookiesOf(cookie) } as const;
}

/** Undefined: it shows no session. */
function checkSession(head: RequestHead, host: string, place: Place): Verdict | undefined {
  const { method, secret, fetchSite } = head;
  if (secret === null) return undefined;
  const isReading = method === "GET" || method === "HEAD";
  const foreign = isReading ? checkSite(fetchSite) : checkChange(head, host);
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
