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
export function describeWeather(code: number): string {
  return CODES.findLast(([from]) => code >= from)?.[1] ?? "unknown sky";
}
