import type { Database } from "bun:sqlite";
import type { Config } from "../../config/schema/schema.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Researcher } from "../../research/research.ts";
import type { Search } from "../../research/search.ts";
import type { Redactor } from "../../security/redact/redact.ts";
import type { MapServices, OpenMap } from "../../tools/places/places.ts";
import { createGetWeatherTool, createSearchPlacesTool } from "../../tools/places/places.ts";
import type { Tool } from "../../tools/tool.ts";
import {
  createHttpRequestTool,
  createResearchTool,
  createWebSearchTool,
} from "../../tools/web/web.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What the tools of the web are made of. */
export interface WebToolParts {
  readonly config: Config;
  readonly store: Database;
  readonly secret: (reference: string) => string | undefined;
  readonly redactor: Redactor;
  /** For short work on what was read; undefined while no model is configured. */
  readonly extractProvider: (() => Provider) | undefined;
  readonly log: Log;
  readonly clock: Clock;
}

/** The web's tools for a turn, as configured: one that lacks a service or a key is not there. */
export function createWebTools(parts: WebToolParts): (workspace: Workspace) => readonly Tool[] {
  const { config, redactor, extractProvider } = parts;
  const openMap = once(() => openMapServices(parts));
  const openTurnMap = async () => {
    const { createTurnMap } = await import("../../tools/places/map-services.ts");
    return createTurnMap(await openMap(), parts.clock.now);
  };
  const search = createLateSearch(parts);
  const research = createLateResearcher(parts);
  return (workspace) => [
    createHttpRequestTool({
      allowedHosts: config.security.http_allowed_hosts,
      stripThresholdKb: config.security.http_strip_threshold_kb,
      extractProvider,
      holdsSecret: redactor.holds,
    }),
    ...(canSearch(parts)
      ? [
          createWebSearchTool({ search, redact: redactor.redact }),
          ...(extractProvider ? [createResearchTool(research)] : []),
        ]
      : []),
    ...createPlaceTools(workspace, once(openTurnMap)),
  ];
}

function createPlaceTools(workspace: Workspace, openMap: OpenMap): readonly Tool[] {
  return [createSearchPlacesTool(workspace, openMap), createGetWeatherTool(workspace, openMap)];
}

/** Whether a search service is switched on and has what it needs; a key may come later. */
function canSearch({ config, secret }: WebToolParts): boolean {
  const { enabled, search, api_key, base_url } = config.online_research;
  if (!enabled) return false;
  if (search === "searxng") return base_url !== "";
  try {
    return Boolean(secret(api_key));
  } catch {
    return false;
  }
}

function createLateSearch(parts: WebToolParts): Search["search"] {
  const open = once(async () => {
    const { createConfiguredSearch } = await import("./create-online.ts");
    return createConfiguredSearch(parts);
  });
  return async (...question) => (await open())(...question);
}

function createLateResearcher(parts: WebToolParts): Researcher {
  const { config, redactor, extractProvider } = parts;
  const open = once(async () => {
    const { createConfiguredResearcher } = await import("./create-online.ts");
    if (!extractProvider) throw new Error("research without a model");
    const provider = extractProvider();
    const strict = config.providers[provider.name]?.strict_json ?? false;
    return createConfiguredResearcher({ ...parts, provider, strict, redact: redactor.redact });
  });
  return async (...question) => (await open())(...question);
}

async function openMapServices({ config, clock }: WebToolParts): Promise<MapServices> {
  const { createMapServices } = await import("../../tools/places/map-services.ts");
  const { nominatim_url, overpass_url } = config.places;
  return createMapServices({ nominatimUrl: nominatim_url, overpassUrl: overpass_url }, clock);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
