import type { Clock } from "../../core/clock.ts";
import { cutText } from "../../core/cut-text.ts";
import type { ToolFailure } from "../tool.ts";
import { createCache } from "./cache.ts";
import { fetchJson } from "./fetch-json.ts";
import { readList, readNumber, readText } from "./read-json.ts";

/** A place on the map. */
export interface Coordinates {
  /** As the geocoder calls it, in full. */
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}

/** Where a place is; `point` is undefined when nobody knows it. */
export type Geocoded = { readonly ok: true; readonly point: Coordinates | undefined } | ToolFailure;

/** Finds places by their names. */
export type Geocode = (place: string, signal: AbortSignal) => Promise<Geocoded>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** The rule of the public Nominatim. */
const INTERVAL_MS = 1000;
const MAX_WAITING = 5;
const MAX_PLACE_LENGTH = 200;

/** Where a place is, for those who cannot do without. */
export async function locate(
  geocode: Geocode,
  place: unknown,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly point: Coordinates } | ToolFailure> {
  const found = await geocode(String(place), signal);
  if (!found.ok) return found;
  if (found.point) return { ok: true, point: found.point };
  const error = `could not geocode "${String(place)}": name a larger place, or spell it otherwise`;
  return { ok: false, error, errorCode: "not_found", retryable: false };
}

/** For an answer about another place than the one that was named, which the map does not know. */
export function renderInstead(named: unknown, location: unknown): string {
  if (typeof named !== "string") return "";
  return `${JSON.stringify(named)} is not on the map; this is for ${JSON.stringify(location)}:\n`;
}

/** Nominatim, asked once a second at most and once a day for the same place. */
export function createGeocoder(baseUrl: string, clock: Clock): Geocode {
  const takeTurn = createTurns(clock);
  const cache = createCache<Geocoded>({
    maxAgeMs: DAY_MS,
    isKept: ({ ok }) => ok,
    now: clock.now,
  });
  return (name, signal) => {
    const place = cutText(name.trim(), MAX_PLACE_LENGTH);
    return cache.get(place.toLowerCase(), async () => {
      const busy = await takeTurn(signal);
      return busy ?? search(baseUrl, place, signal);
    });
  };
}

/** One caller after the other, a second apart; undefined once it is the caller's turn. */
function createTurns({
  now,
  sleep,
}: Clock): (signal: AbortSignal) => Promise<ToolFailure | undefined> {
  let nextAt = 0;
  return async (signal) => {
    const at = Math.max(now(), nextAt);
    const waitMs = at - now();
    if (waitMs > MAX_WAITING * INTERVAL_MS) {
      return { ...failure("rate_limited", "too many places at once"), retryAfterMs: waitMs };
    }
    nextAt = at + INTERVAL_MS;
    try {
      if (waitMs > 0) await sleep(waitMs, signal);
      return undefined;
    } catch {
      return failure("denied", "cancelled");
    }
  };
}

async function search(baseUrl: string, place: string, signal: AbortSignal): Promise<Geocoded> {
  const query = new URLSearchParams({ q: place, format: "jsonv2", limit: "1" });
  const url = `${baseUrl.replace(/\/+$/u, "")}/search?${query.toString()}`;
  const answer = await fetchJson({ url, signal });
  if (!answer.ok) return answer;
  const [first] = readList(answer.value);
  const lat = readNumber(first, "lat");
  const lon = readNumber(first, "lon");
  if (lat === undefined || lon === undefined) return { ok: true, point: undefined };
  return { ok: true, point: { name: readText(first, "display_name") ?? place, lat, lon } };
}

function failure(errorCode: "rate_limited" | "denied", error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: errorCode === "rate_limited" };
}
