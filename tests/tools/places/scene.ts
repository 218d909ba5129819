import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/core/clock.ts";
import { createGetWeatherTool } from "../../../src/tools/places/get-weather.ts";
import { createMapServices, createTurnMap } from "../../../src/tools/places/map-services.ts";
import { createSearchPlacesTool } from "../../../src/tools/places/search-places.ts";
import type { Completion, Tool, ToolArguments, ToolResult } from "../../../src/tools/tool.ts";
import { type MapScript, startMapServer } from "../../support/map-server.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";

/** Both tools on a workspace with `files`; the clock jumps over every sleep and notes it. */
export function openMapScene(script: MapScript = {}, files: Readonly<Record<string, string>> = {}) {
  const dir = tempDir();
  const root = join(dir.path, "trip");
  mkdirSync(root);
  writeTree(root, files);
  const server = startMapServer(script);
  const time = { now: 1_000_000 };
  let gate: Promise<void> = Promise.resolve();
  const sleeps: number[] = [];
  const clock: Clock = {
    now: () => time.now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      await gate;
      sleeps.push(ms);
      time.now += ms;
    },
  };
  const settings = {
    nominatimUrl: `${server.url}/`,
    overpassUrl: `${server.url}/overpass`,
    openMeteoUrl: `${server.url}/forecast`,
  };
  const services = createMapServices(settings, clock);
  const turn = { map: createTurnMap(services, clock.now) };
  const openMap = async () => turn.map;
  const workspace = {
    name: "trip",
    root,
    check: "none",
    checkTimeoutMs: 1000,
    maxActions: 0,
    protectedPaths: [],
  } as const;
  const { signal } = new AbortController();
  const places = createSearchPlacesTool(workspace, openMap);
  const weather = createGetWeatherTool(workspace, openMap);
  const bind = (tool: Tool) => ({
    tool,
    run: (args: ToolArguments): Promise<ToolResult> => tool.run(args, signal, "call_1"),
    complete: async (args: ToolArguments, ...userTexts: string[]): Promise<Completion> => {
      const completion = await tool.complete?.(args, { userTexts }, signal);
      if (!completion) throw new Error("the tool completes nothing");
      return completion;
    },
  });
  return {
    root,
    server,
    time,
    sleeps,
    geocode: services.geocode,
    /** What the services said in the turn so far counts no more; their own caches do. */
    nextTurn: () => void (turn.map = createTurnMap(services, clock.now)),
    /** Holds every sleep until it is resolved. */
    freeze: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return { resolve };
    },
    places: bind(places),
    weather: bind(weather),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** What a tool said, however it went. */
export function textOf(result: ToolResult): string {
  return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
}
