import type { ToolFailure } from "../tool.ts";
import { fetchJson } from "./fetch-json.ts";
import type { Coordinates } from "./geocoder.ts";
import { readKey, readList, readNumber, readText } from "./read-json.ts";

/** What is looked for, as OpenStreetMap tags it. */
const CATEGORIES = {
  tourism: [
    ["tourism", "attraction|museum|gallery|viewpoint|zoo|theme_park|aquarium"],
    ["historic", "castle|monument|memorial|ruins|archaeological_site|fort|palace"],
  ],
  food: [["amenity", "restaurant|cafe|fast_food|food_court|bar|pub|biergarten|ice_cream"]],
  lodging: [["tourism", "hotel|hostel|guest_house|motel|apartment|chalet|camp_site"]],
} as const satisfies Readonly<Record<string, readonly (readonly [key: string, values: string])[]>>;

/** A kind of place. */
export type Category = keyof typeof CATEGORIES;

/** Places of a category around a point. */
export interface PlacesRequest {
  readonly point: Coordinates;
  readonly category: Category;
  readonly radiusKm: number;
}

/** At most five, or why there are none. */
export type FoundPlaces = { readonly ok: true; readonly places: readonly Place[] } | ToolFailure;

/** A place with a name. */
export interface Place {
  readonly name: string;
  readonly kind: string;
  readonly distanceKm: number;
  /** What else the map says of it, in words. */
  readonly details: readonly string[];
  readonly url: string;
}

const MAX_PLACES = 5;
/** More than are shown: the service gives them in no order of use. */
const MAX_CANDIDATES = 300;

/** The best-known and nearest places of a category around a point, by Overpass. */
export async function findPlaces(
  overpassUrl: string,
  request: PlacesRequest,
  signal: AbortSignal,
): Promise<FoundPlaces> {
  const body = new URLSearchParams({ data: toQuery(request) }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetchJson({ url: overpassUrl, method: "POST", headers, body, signal });
  if (!answer.ok) return answer;
  const found = readList(answer.value, "elements").flatMap((element) => {
    const place = readPlace(element, request);
    return place ? [place] : [];
  });
  const ranked = found.toSorted((a, b) => b.fame - a.fame || a.distanceKm - b.distanceKm);
  return { ok: true, places: ranked.slice(0, MAX_PLACES) };
}

function toQuery({ point, category, radiusKm }: PlacesRequest): string {
  const around = `(around:${Math.round(radiusKm * 1000)},${point.lat},${point.lon})`;
  const parts = CATEGORIES[category].map(
    ([key, values]) => `nwr${around}["name"]["${key}"~"^(${values})$"];`,
  );
  return `[out:json][timeout:20];(${parts.join("")});out center ${MAX_CANDIDATES};`;
}

function readPlace(
  element: unknown,
  { point, category }: PlacesRequest,
): (Place & { readonly fame: number }) | undefined {
  const tags = readKey(element, "tags");
  const at = readNumber(element, "lat") === undefined ? readKey(element, "center") : element;
  const lat = readNumber(at, "lat");
  const lon = readNumber(at, "lon");
  const name = readText(tags, "name");
  if (lat === undefined || lon === undefined || name === undefined) return undefined;
  const kind = CATEGORIES[category].map(([key]) => readText(tags, key)).find(Boolean) ?? category;
  const type = readText(element, "type") ?? "node";
  return {
    name,
    kind: kind.replaceAll("_", " "),
    distanceKm: distanceKm(point, { lat, lon }),
    details: readDetails(tags),
    url: `https://www.openstreetmap.org/${type}/${readNumber(element, "id") ?? ""}`,
    fame: category === "tourism" && readKey(tags, "wikidata") !== undefined ? 1 : 0,
  };
}

function readDetails(tags: unknown): readonly string[] {
  const street = [readText(tags, "addr:street"), readText(tags, "addr:housenumber")];
  const others = ["cuisine", "opening_hours", "phone", "website"].map((key) => readText(tags, key));
  return [street.filter(Boolean).join(" "), ...others].flatMap((detail) => detail || []);
}

const EARTH_KM = 6371;

/** Over the sphere. */
function distanceKm(
  a: { readonly lat: number; readonly lon: number },
  b: { readonly lat: number; readonly lon: number },
): number {
  const [lat1, lat2] = [toRadians(a.lat), toRadians(b.lat)];
  const h =
    Math.sin((lat2 - lat1) / 2) ** 2 +
    Math.cos(lat1) * Math.cos(lat2) * Math.sin(toRadians(b.lon - a.lon) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.sqrt(h));
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
