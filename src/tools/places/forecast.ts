import type { ToolFailure } from "../tool.ts";
import { fetchJson } from "./fetch-json.ts";
import type { Coordinates } from "./geocoder.ts";
import { readKey, readList, readNumber } from "./read-json.ts";

/** What the weather is asked for. */
export interface ForecastRequest {
  readonly point: Coordinates;
  /** 1 to 7, today among them. */
  readonly days: number;
}

/** The weather in lines of text: now, then a line a day. */
export type Forecast = { readonly ok: true; readonly lines: readonly string[] } | ToolFailure;

const CURRENT =
  "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,weather_code,wind_speed_10m";
const DAILY =
  "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max,wind_speed_10m_max";

/** The weather at a point by Open-Meteo. */
export async function fetchForecast(
  baseUrl: string,
  { point, days: dayCount }: ForecastRequest,
  signal: AbortSignal,
): Promise<Forecast> {
  const query = new URLSearchParams({
    latitude: String(point.lat),
    longitude: String(point.lon),
    current: CURRENT,
    daily: DAILY,
    timezone: "auto",
    forecast_days: String(dayCount),
  });
  const answer = await fetchJson({ url: `${baseUrl}?${query.toString()}`, signal });
  if (!answer.ok) return answer;
  const current = readKey(answer.value, "current");
  const days = renderDays(readKey(answer.value, "daily"));
  if (readNumber(current, "temperature_2m") !== undefined)
    return { ok: true, lines: [renderNow(current), ...days] };
  const error = "Cannot read the weather: the answer says nothing of the present";
  return { ok: false, error, errorCode: "internal", retryable: true };
}

function renderNow(current: unknown): string {
  const read = (key: string) => readNumber(current, key);
  return renderLine("Now", read("weather_code"), [
    say("", read("temperature_2m"), "°C"),
    say("feels like ", read("apparent_temperature"), "°C"),
    say("humidity ", read("relative_humidity_2m"), "%"),
    say("precipitation ", read("precipitation"), "mm"),
    say("wind ", read("wind_speed_10m"), "km/h"),
  ]);
}

function renderDays(daily: unknown): readonly string[] {
  return readList(daily, "time").map((day, at) => {
    const read = (key: string) => readNumber(readList(daily, key), String(at));
    return renderLine(String(day), read("weather_code"), [
      say("from ", read("temperature_2m_min"), "°C"),
      say("to ", read("temperature_2m_max"), "°C"),
      say("rain ", read("precipitation_probability_max"), "%"),
      say("wind ", read("wind_speed_10m_max"), "km/h"),
    ]);
  });
}

function say(what: string, value: number | undefined, unit: string): readonly string[] {
  return value === undefined ? [] : [`${what}${value} ${unit}`];
}

function renderLine(
  name: string,
  code: number | undefined,
  values: readonly (readonly string[])[],
): string {
  const sky = code === undefined ? [] : [describeWeather(code)];
  return `${name}: ${[...sky, ...values.flat()].join(", ")}`;
}

/** The weather codes of the WMO that forecasts use, from each number up to the next. */
const CODES: readonly (readonly [from: number, meaning: string])[] = [
  [0, "clear sky"],
  [1, "mainly clear"],
  [2, "partly cloudy"],
  [3, "overcast"],
  [45, "fog"],
  [51, "drizzle"],
  [56, "freezing drizzle"],
  [61, "rain"],
  [66, "freezing rain"],
  [71, "snow"],
  [80, "rain showers"],
  [85, "snow showers"],
  [95, "thunderstorm"],
  [96, "thunderstorm with hail"],
];

/** A weather code in words. */
function describeWeather(code: number): string {
  return CODES.findLast(([from]) => code >= from)?.[1] ?? "unknown sky";
}
