export { createGetWeatherTool } from "./get-weather.ts";
export type { MapServices } from "./map-services.ts";
export { createSearchPlacesTool } from "./search-places.ts";
