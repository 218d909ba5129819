/** What is required of who asks; see {@link ROUTES}. */
export type Needs =
  | "nothing"
  /** A top-level navigation: the document itself tells nothing. */
  | "page"
  | "file"
  /** The page as Telegram shows it. */
  | "app page"
  /** Of a routine's own. */
  | "own secret"
  /** A page of ours that has no session yet. */
  | "code"
  /** What Telegram gives to a page that it opens. */
  | "init data"
  | "session"
  | "session or token"
  | "token";

/** One row of them. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly needs: Needs;
  /** Who is answered beside the owner at this machine; a row that does not say it answers nobody else. */
  readonly also?: Also;
}

/**
 * The owner by the public host, where what opens a gate stays closed; or everybody who may speak to
 * the bot as well, each about their own alone.
 */
export type Also = "owner from afar" | "other people";

const AFAR = "owner from afar";
const ALL = "other people";

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
  { method: "GET", path: /^\/app(?:\/.{0,1024})?$/u, needs: "app page" },
  { method: "POST", path: /^\/api\/app\/login$/u, needs: "init data" },
  { method: "POST", path: /^\/api\/console\/logout$/u, needs: "session", also: ALL },
  { method: "POST", path: /^\/api\/app\/file$/u, needs: "session", also: AFAR },
  { method: "GET", path: /^\/api\/console\/session$/u, needs: "session", also: ALL },
  { method: "GET", path: /^\/api\/(?:inbox|events)$/u, needs: "session or token", also: ALL },
  { method: "GET", path: /^\/api\/change-sets\//u, needs: "session or token", also: ALL },
  {
    method: "POST",
    path: /^\/api\/change-sets\/\w{1,64}\/(?:draft|unticked|seen)$/u,
    needs: "session or token",
    also: ALL,
  },
  {
    method: "GET",
    path: /^\/api\/(?:doctor|log(?:\/follow)?|people|browsers|spending)$/u,
    needs: "session or token",
    also: AFAR,
  },
  { method: "POST", path: /^\/api\/(?:people|browsers)$/u, needs: "session or token", also: AFAR },
  {
    method: "GET",
    path: /^\/api\/settings\/(?:config|keys)$/u,
    needs: "session or token",
    also: AFAR,
  },
  {
    method: "POST",
    path: /^\/api\/settings\/config(?:\/(?:check|key))?$/u,
    needs: "session or token",
    also: AFAR,
  },
  { method: "GET", path: /^\/api\/workspaces(?:\/|$)/u, needs: "session or token", also: AFAR },
  {
    method: "GET",
    path: /^\/api\/routines(?:\/[^/]+\/runs)?$/u,
    needs: "session or token",
    also: AFAR,
  },
  {
    method: "GET",
    path: /^\/api\/(?:report|traces(?:\/[\w-]{1,128})?)$/u,
    needs: "session or token",
    also: AFAR,
  },
  { method: "GET", path: /^\/api\/work\/[\w.:-]{1,64}$/u, needs: "session or token", also: ALL },
  { method: "POST", path: /^\/api\/press$/u, needs: "session or token", also: ALL },
  { method: "POST", path: /^\/api\/chat$/u, needs: "session or token", also: ALL },
  {
    method: "GET",
    path: /^\/api\/chats(?:\/[^/]{1,512})?$/u,
    needs: "session or token",
    also: ALL,
  },
  { method: "POST", path: /^\/api\/files$/u, needs: "session or token" },
  {
    method: "GET",
    path: /^\/api\/chats\/[^/]{1,512}\/files\/\w{1,64}$/u,
    needs: "session or token",
  },
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
  /** The page as Telegram shows it: on its own, or in a frame of Telegram's. */
  | { readonly kind: "app page" }
  /** What Telegram gave to a page that it opened. */
  | { readonly kind: "entry" }
  /** By the public host: what a page has of such an entry; whose it is decides whether that is enough. */
  | { readonly kind: "app"; readonly bearer: string; readonly also: Also }
  | { readonly kind: "owner" }
  | ({ readonly kind: "session" } & SessionProof);

/** What a page shows of its session: with a cookie, or `isPlain` without one. */
export interface SessionProof {
  readonly secret: string;
  readonly cookies: readonly string[];
  readonly isPlain: boolean;
}

/** The row that a request is of. */
export function routeOf(method: string, path: string): Route | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return ROUTES.find((route) => route.method === asked && route.path.test(path));
}

/** Whether anything answers there. */
export function isRoute(method: string, path: string): boolean {
  return routeOf(method, path) !== undefined;
}

/** Refuses for good, whoever asks. */
export function deny(message: string): Verdict {
  return { kind: "refused", status: 403, message };
}
