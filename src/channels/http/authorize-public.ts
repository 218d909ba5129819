import type { RequestHead } from "./request-head.ts";
import { deny, type Needs, type Route, routeOf, type Verdict } from "./routes.ts";

/** Who is answered by the public host. */
type Audience =
  | "anybody"
  /** Telegram, or whoever opens the page, which tells nothing by itself. */
  | "visitor"
  /** Whom the Mini App let in. */
  | "person"
  /** A page of the Mini App that is to be let in. */
  | "newcomer"
  | "nobody";

/**
 * Nothing of this machine's own: its token, codes of a login, cookies and secrets of browsers count
 * for nothing there, since whoever passes requests on sees them all.
 */
export const BY_PUBLIC_HOST: Readonly<Record<Needs, Audience>> = {
  nothing: "anybody",
  page: "nobody",
  "app page": "visitor",
  file: "anybody",
  "own secret": "anybody",
  code: "nobody",
  "init data": "newcomer",
  session: "person",
  "session or token": "person",
  token: "nobody",
};

/** Decides on what somebody passed on from the public host, which only they can reach. */
export function authorizePublic(head: RequestHead, host: string): Verdict {
  const { method, path, origin, fetchSite } = head;
  const route = routeOf(method, path);
  const needs = route?.needs;
  const audience = route ? audienceOf(route) : "nobody";
  const own = `https://${host}`;
  if (origin !== null && origin !== own) return deny("pages of other origins are not answered");
  if (audience === "visitor") return checkVisit(head);
  const isOwn = fetchSite === null || fetchSite === "same-origin";
  if (!isOwn && (needs !== "file" || fetchSite !== "none")) {
    return deny("requests from other pages are not answered");
  }
  if (audience === "nobody") return deny("this is answered on the machine itself alone");
  if (audience === "anybody") return { kind: "anybody" };
  const isReading = method === "GET" || method === "HEAD";
  if (!isReading && origin !== own) return deny("only the page itself may do this");
  if (audience === "newcomer") return { kind: "entry" };
  const [, bearer] = /^bearer +(\S{1,256})$/iu.exec(head.authorization ?? "") ?? [];
  if (bearer === undefined || !route?.also) return NOT_IN;
  return { kind: "app", bearer, also: route.also };
}

/** Of what people read and do, a row has to say that it is answered from afar. */
function audienceOf({ needs, also }: Route): Audience {
  const audience = BY_PUBLIC_HOST[needs];
  return audience === "person" && also === undefined ? "nobody" : audience;
}

/** Which frames may show it, its policy says to the browser. */
function checkVisit({ fetchMode, fetchDest }: RequestHead): Verdict {
  const isShown = fetchDest === null || fetchDest === "document" || fetchDest === "iframe";
  const isNavigation = fetchMode === null || fetchMode === "navigate";
  return isShown && isNavigation ? { kind: "app page" } : deny("the page is opened by itself");
}

const NOT_IN: Verdict = {
  kind: "refused",
  status: 401,
  message: "here only a page that Telegram opened is let in",
};
