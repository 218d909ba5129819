import type { Clock } from "../../core/clock.ts";
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
