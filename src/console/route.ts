/** A line of a review, as an address names it: the number of its file, and the line on a side. */
export interface LinePlace {
  readonly file: number;
  readonly side: "L" | "R";
  readonly line: number;
}

/** Where a person is. */
export type Route =
  | { readonly page: "inbox" }
  | { readonly page: "review"; readonly id: string; readonly place?: LinePlace }
  | { readonly page: "unknown" };

const REVIEW = /^\/review\/(\w[\w.:-]{0,127})$/;
const PLACE = /^#(\d{1,7})([LR])(\d{1,9})$/;

/** The place that an address names. */
export function readRoute(path: string, hash: string): Route {
  if (path === "/") return { page: "inbox" };
  const [, id] = REVIEW.exec(path) ?? [];
  if (id === undefined) return { page: "unknown" };
  const place = readPlace(hash);
  return { page: "review", id, ...(place && { place }) };
}

/** The address of a place. */
export function renderRoute(route: Exclude<Route, { page: "unknown" }>): string {
  if (route.page === "inbox") return "/";
  return `/review/${route.id}${route.place ? renderPlace(route.place) : ""}`;
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
