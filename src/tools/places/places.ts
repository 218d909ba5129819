export { createGetWeatherTool } from "./get-weather.ts";
export type { MapServices } from "./map-services.ts";
export { createSearchPlacesTool, type OpenMap } from "./search-places.ts";
