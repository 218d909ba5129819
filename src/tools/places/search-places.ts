import type { Workspace } from "../../workspace/workspace.ts";
import { type ArgumentContext, type Tool, type ToolArguments, toOwnersService } from "../tool.ts";
import type { Category, Place } from "./find-places.ts";
import type { Coordinates } from "./geocoder.ts";
import type { MapServices } from "./map-services.ts";

/** The map, loaded when it is first asked. */
export type OpenMap = () => Promise<MapServices>;

const CATEGORIES: readonly string[] = ["tourism", "food", "lodging"] satisfies Category[];
const RADIUS_KM = { usual: 10, least: 0.5, most: 50 } as const;

/** `search_places`: sights, places to eat and to sleep near a place that people name. */
export function createSearchPlacesTool(workspace: Workspace, openMap: OpenMap): Tool {
  return {
    schema: {
      name: "search_places",
      description: "Finds sights, restaurants or hotels near a place",
      parameters: {
        type: "object",
        properties: {
          location: { type: "string", description: "city, area or address" },
          category: { type: "string", description: "tourism (default), food or lodging" },
          radius_km: { type: "number", description: "0.5 to 50; 10 if absent" },
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
      const known = await completeCategory(args, context);
      return completeLocation(known, context, { workspace, geocode }, signal);
    },
    async run({ location, instead_of, category = "tourism", radius_km = RADIUS_KM.usual }, signal) {
      if (!isCategory(category)) {
        const error = `category must be one of ${CATEGORIES.join(", ")}`;
        return { ok: false, error, errorCode: "invalid_args", retryable: false };
      }
      const { geocode, findPlaces } = await openMap();
      const { locate, renderInstead } = await import("./geocoder.ts");
      const found = await locate(geocode, location, signal);
      if (!found.ok) return found;
      const { point } = found;
      const radiusKm = Math.min(RADIUS_KM.most, Math.max(RADIUS_KM.least, Number(radius_km)));
      const result = await findPlaces({ point, category, radiusKm }, signal);
      if (!result.ok) return result;
      const content = renderPlaces({ point, category, radiusKm }, result.places);
      return { ok: true, content: renderInstead(instead_of, location) + content };
    },
  };
}

/** Who speaks of eating and names no category does not want sights. */
async function completeCategory(
  args: ToolArguments,
  { userTexts }: ArgumentContext,
): Promise<ToolArguments> {
  if (typeof args["category"] === "string" && args["category"] !== "") return args;
  const { isAboutDining } = await import("./dining-intent.ts");
  return { ...args, category: userTexts.some(isAboutDining) ? "food" : "tourism" };
}

function isCategory(value: unknown): value is Category {
  return typeof value === "string" && CATEGORIES.includes(value);
}

function renderPlaces(
  { point, category, radiusKm }: { point: Coordinates; category: Category; radiusKm: number },
  places: readonly Place[],
): string {
  const where = `within ${radiusKm} km of ${point.name}`;
  if (places.length === 0) return `No ${category} on the map ${where}; try a larger radius_km.`;
  const lines = places.map(({ name, kind, distanceKm, details, url }, at) => {
    const facts = [kind, `${distanceKm.toFixed(1)} km`, ...details, url];
    return `${at + 1}. ${name}: ${facts.join("; ")}`;
  });
  return [`${category} ${where} (© OpenStreetMap contributors):`, ...lines].join("\n");
}
