import type { Workspace } from "../../workspace/workspace.ts";
import { type Tool, toOwnersService } from "../tool.ts";
import type { OpenMap } from "./search-places.ts";

const DAYS = { usual: 3, most: 7 } as const;

/** `get_weather`: the weather now and on the next days at a place that people name. */
export function createGetWeatherTool(workspace: Workspace, openMap: OpenMap): Tool {
  return {
    schema: {
      name: "get_weather",
      description: "Weather now and forecast for a place",
      parameters: {
        type: "object",
        properties: {
          location: { type: "string", description: "city, area or address" },
          days: { type: "integer", description: "1 to 7; 3 if absent" },
        },
        required: ["location"],
      },
    },
    isRare: true,
    origin: "outside",
    leaves: toOwnersService,
    effect: () => "network",
    async complete(args, context, signal) {
      const { geocode } = await openMap();
      const { completeLocation } = await import("./complete-location.ts");
      return completeLocation(args, context, { workspace, geocode }, signal);
    },
    async run({ location, instead_of, days = DAYS.usual }, signal) {
      const { geocode, fetchForecast } = await openMap();
      const { locate, renderInstead } = await import("./geocoder.ts");
      const found = await locate(geocode, location, signal);
      if (!found.ok) return found;
      const request = { point: found.point, days: Math.min(DAYS.most, Math.max(1, Number(days))) };
      const forecast = await fetchForecast(request, signal);
      if (!forecast.ok) return forecast;
      const head = `${renderInstead(instead_of, location)}${found.point.name} (Open-Meteo)`;
      return { ok: true, content: [head, ...forecast.lines].join("\n") };
    },
  };
}
