/** A line of a review, as an address names it: the number of its file, and the line on a side. */
export interface LinePlace {
  readonly file: number;
  readonly side: "L" | "R";
  readonly line: number;
}

/** Parts of the settings beside the configuration itself. */
export const CARE = ["doctor", "log", "people", "browsers", "spending"] as const;
/** One of {@link CARE}. */
export type Care = (typeof CARE)[number];

/** Where a person is. */
export type Route =
  | { readonly page: "inbox" }
  | { readonly page: "review"; readonly id: string; readonly place?: LinePlace }
  | { readonly page: "workspaces" }
  | { readonly page: "routines" }
  /** A conversation; or all of them and a new one, which is to be about `workspace`. */
  | { readonly page: "chat"; readonly session?: string; readonly workspace?: string }
  /** `query` is what it is narrowed to. */
  | { readonly page: "traces" | "report"; readonly query?: string }
  | { readonly page: "trace"; readonly id: string }
  | { readonly page: "settings"; readonly part?: Care }
  /** `part` is a transaction, of which a line may be named, or what an undo or a redo would do. */
  | {
      readonly page: "workspace";
      readonly name: string;
      readonly part?: string;
      readonly place?: LinePlace;
    }
  | { readonly page: "unknown" };

/** Where a person can go. */
export type Place = Exclude<Route, { readonly page: "unknown" }>;

const REVIEW = /^\/review\/(\w[\w.:-]{0,127})$/;
const TRACE = /^\/traces\/([\w-]{1,128})$/;
const WORKSPACE = /^\/workspaces\/([^/]{1,256})(?:\/(undo|redo|tx_\w{1,64}))?$/;
const CHAT = /^\/chat\/([^/]{1,512})$/;
const PLACE = /^#(\d{1,7})([LR])(\d{1,9})$/;

/** Where all addresses begin of the page as Telegram shows it; a reload finds it there. */
export const APP = "/app";

/** Whether an address is one of those. */
export function isOfApp(path: string): boolean {
  return path === APP || path.startsWith(`${APP}/`);
}

/** The place that an address names. */
export function readRoute(address: string, hash: string, search = ""): Route {
  const path = isOfApp(address) ? address.slice(APP.length) || "/" : address;
  if (path === "/") return { page: "inbox" };
  if (path === "/workspaces") return { page: "workspaces" };
  if (path === "/routines") return { page: "routines" };
  if (path === "/chat") {
    const workspace = new URLSearchParams(search).get("workspace") ?? "";
    return { page: "chat", ...(workspace !== "" && { workspace }) };
  }
  const [, chat] = CHAT.exec(path) ?? [];
  const session = chat === undefined ? undefined : readName(chat);
  if (session !== undefined) return { page: "chat", session };
  const query = search.startsWith("?") ? search.slice(1) : "";
  if (path === "/traces") return { page: "traces", ...(query !== "" && { query }) };
  if (path === "/report") return { page: "report", ...(query !== "" && { query }) };
  const [, trace] = TRACE.exec(path) ?? [];
  if (trace !== undefined) return { page: "trace", id: trace };
  if (path === "/settings") return { page: "settings" };
  const part = CARE.find((each) => path === `/settings/${each}`);
  if (part) return { page: "settings", part };
  const [, of, change] = WORKSPACE.exec(path) ?? [];
  const name = of === undefined ? undefined : readName(of);
  const place = readPlace(hash);
  if (name !== undefined) {
    const line = change?.startsWith("tx_") && place ? { place } : {};
    return { page: "workspace", name, ...(change !== undefined && { part: change }), ...line };
  }
  const [, id] = REVIEW.exec(path) ?? [];
  if (id === undefined) return { page: "unknown" };
  return { page: "review", id, ...(place && { place }) };
}

/** The address of a place. */
export function renderRoute(route: Place): string {
  switch (route.page) {
    case "inbox":
      return "/";
    case "workspaces":
      return "/workspaces";
    case "routines":
      return "/routines";
    case "chat":
      if (route.session !== undefined) return `/chat/${encodeURIComponent(route.session)}`;
      return `/chat${route.workspace ? `?workspace=${encodeURIComponent(route.workspace)}` : ""}`;
    case "traces":
    case "report":
      return `/${route.page}${route.query ? `?${route.query}` : ""}`;
    case "trace":
      return `/traces/${route.id}`;
    case "settings":
      return route.part === undefined ? "/settings" : `/settings/${route.part}`;
    case "workspace": {
      const part = route.part === undefined ? "" : `/${route.part}`;
      const line = route.place ? renderPlace(route.place) : "";
      return `/workspaces/${encodeURIComponent(route.name)}${part}${line}`;
    }
    case "review":
      return `/review/${route.id}${route.place ? renderPlace(route.place) : ""}`;
    default:
      return route satisfies never;
  }
}

/** A place by itself: what it is narrowed to, or which line of it is meant, makes it no other. */
export function placeNamed(route: Route): string {
  return route.page === "unknown" ? route.page : renderRoute(route).replace(/[?#].*$/u, "");
}

/** What is no name in an address is none of a workspace. */
function readName(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The fragment of a line's address. */
export function renderPlace({ file, side, line }: LinePlace): string {
  return `#${file}${side}${line}`;
}

function readPlace(hash: string): LinePlace | undefined {
  const [, file, side, line] = PLACE.exec(hash) ?? [];
  if (side !== "L" && side !== "R") return undefined;
  return { file: Number(file), side, line: Number(line) };
}
