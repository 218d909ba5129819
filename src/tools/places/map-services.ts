import type { Clock } from "../../core/clock.ts";
import type { ToolFailure } from "../tool.ts";
import { createCache } from "./cache.ts";
import { type FoundPlaces, findPlaces, type PlacesRequest } from "./find-places.ts";
import { type Forecast, type ForecastRequest, fetchForecast } from "./forecast.ts";
import { createGeocoder, type Geocode } from "./geocoder.ts";

/** Where the services are. */
export interface MapSettings {
  readonly nominatimUrl: string;
  readonly overpassUrl: string;
  /** The public one when absent. */
  readonly openMeteoUrl?: string;
}

/** The services behind places and weather, each with its cache and its pace. */
export interface MapServices {
  readonly geocode: Geocode;
  readonly findPlaces: (request: PlacesRequest, signal: AbortSignal) => Promise<FoundPlaces>;
  readonly fetchForecast: (request: ForecastRequest, signal: AbortSignal) => Promise<Forecast>;
}

const OPEN_METEO_URL = "https://api.open-meteo.com/v1/forecast";
const DAY_MS = 24 * 60 * 60 * 1000;
const QUARTER_MS = 15 * 60 * 1000;

/** Made once: pace and caches hold for all turns. */
export function createMapServices(settings: MapSettings, clock: Clock): MapServices {
  const { nominatimUrl, overpassUrl, openMeteoUrl = OPEN_METEO_URL } = settings;
  const isKept = ({ ok }: { readonly ok: boolean }) => ok;
  const { now } = clock;
  const places = createCache<FoundPlaces>({ maxAgeMs: DAY_MS, isKept, now });
  const forecasts = createCache<Forecast>({ maxAgeMs: QUARTER_MS, isKept, now });
  return {
    geocode: createGeocoder(nominatimUrl, clock),
    findPlaces: (request, signal) =>
      places.get(JSON.stringify(request), () => findPlaces(overpassUrl, request, signal)),
    fetchForecast: (request, signal) =>
      forecasts.get(JSON.stringify(request), () => fetchForecast(openMeteoUrl, request, signal)),
  };
}

/** What a service said, and until when it is not asked that again. */
interface Said<T> {
  readonly answer: Promise<T>;
  /** Infinity: not within the turn. */
  until: number;
}

type Answer = { readonly ok: true } | ToolFailure;

/**
 * The services as one turn uses them: each is asked for an address once, whatever comes of it, by
 * all tools together; one that asked to be left alone, without saying for how long, is left alone.
 * After a Retry-After the same may be asked once more. Only what was cancelled counts as not asked.
 */
export function createTurnMap(services: MapServices, now: () => number): MapServices {
  const geocode = createOnce(now, services.geocode);
  return {
    geocode: (place, signal) => geocode(place.trim().toLowerCase(), place, signal),
    findPlaces: once(createOnce(now, services.findPlaces)),
    fetchForecast: once(createOnce(now, services.fetchForecast)),
  };
}

function once<Request, T>(
  ask: (key: string, request: Request, signal: AbortSignal) => Promise<T>,
): (request: Request, signal: AbortSignal) => Promise<T> {
  return (request, signal) => ask(JSON.stringify(request), request, signal);
}

function createOnce<Request, T extends Answer>(
  now: () => number,
  ask: (request: Request, signal: AbortSignal) => Promise<T>,
): (key: string, request: Request, signal: AbortSignal) => Promise<T> {
  const said = new Map<string, Said<T>>();
  let refusal: Said<T> | undefined;
  return async (key, request, signal) => {
    for (const known of [said.get(key), refusal])
      if (known && now() < known.until) return known.answer;
    const entry: Said<T> = { answer: ask(request, signal), until: Number.POSITIVE_INFINITY };
    said.set(key, entry);
    const answer = await entry.answer;
    if (answer.ok) return answer;
    if (signal.aborted) said.delete(key);
    if (answer.retryAfterMs !== undefined) entry.until = now() + answer.retryAfterMs;
    if (answer.isBusy) refusal = entry;
    return answer;
  };
}
