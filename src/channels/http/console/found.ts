import { refuse } from "../refuse.ts";
import type { ReviewImage } from "./facts.ts";

/** What was asked for; a browser keeps none of it. */
export function sendFound(found: Readonly<Record<string, unknown>>): Response {
  return Response.json({ ok: true, ...found }, { headers: { "cache-control": "no-store" } });
}

/** What a part of a path says; what nobody could have written so is the name of nothing. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** The most that a page of anything may have. */
export const MOST_ON_PAGE = 200;
const ON_PAGE = 50;

/** How many a request wants on a page, if it may. */
export function toLimit(query: URLSearchParams): number | undefined {
  const said = query.get("limit") ?? String(ON_PAGE);
  const limit = /^\d{1,3}$/u.test(said) ? Number(said) : 0;
  return limit >= 1 && limit <= MOST_ON_PAGE ? limit : undefined;
}

/** The side of a file that a path names. */
export function toSide(side: string | undefined): "before" | "after" {
  return side === "before" ? "before" : "after";
}

/** A picture; never as a document of ours, whatever is in it. */
export function sendImage(image: ReviewImage | undefined): Response {
  if (!image) return refuse(404, (say) => say.noPicture);
  const headers = {
    "content-type": image.type,
    "content-disposition": "attachment",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "no-store",
  };
  return new Response(image.bytes, { headers });
}
