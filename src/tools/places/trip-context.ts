import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readTextFile } from "../../workspace/read-file.ts";
import { readStateFile } from "../../workspace/state-folder.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readKey, readList, readText } from "./read-json.ts";
import { readTables } from "./trip-table.ts";

const FILES = ["trip.md", "itinerary.md"] as const;
const MAX_STATE_BYTES = 256 * 1024;

/**
 * Where the trip of a workspace goes, as the first of its notes has it that says so: the destination,
 * then its stops, in order; none when they do not say.
 */
export async function findTripPlaces(workspace: Workspace): Promise<readonly string[]> {
  for (const path of FILES) {
    const text = await readNote(workspace, path);
    const found = text ? readTrips([parseFrontMatter(text), ...readTables(text)]) : [];
    if (found.length > 0) return found;
  }
  const state = readStateFile(workspace, "project.json", MAX_STATE_BYTES);
  const project = state.ok && state.text ? parseJson(state.text) : undefined;
  return readTrips([project, readKey(project, "trip")]);
}

async function readNote(workspace: Workspace, path: string): Promise<string | undefined> {
  const guarded = resolvePath(workspace, path, "read");
  if (!guarded.ok) return undefined;
  const file = await readTextFile(guarded);
  return file.ok ? file.text : undefined;
}

function parseFrontMatter(text: string): unknown {
  const yaml = /^\uFEFF?---\r?\n([^]*?)\r?\n---\s*(?:\n|$)/u.exec(text)?.[1];
  try {
    return yaml === undefined ? undefined : Bun.YAML.parse(yaml);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The destinations, then the stops. */
function readTrips(trips: readonly unknown[]): readonly string[] {
  const destinations = trips.map((trip) => toFirst(readText(trip, "destination") ?? ""));
  const stops = trips.flatMap((trip) => [
    ...readList(trip, "itinerary"),
    ...readList(trip, "stops"),
  ]);
  return [...destinations, ...stops.map(readStop)].filter((place) => place !== undefined);
}

/** "Lisbon; Porto +2 more" is Lisbon. */
function toFirst(destination: string): string | undefined {
  const [first = ""] = destination.split(/[;；]/u);
  return first.replace(/\s*\+\s*\d+\s+more\s*$/iu, "").trim() || undefined;
}

function readStop(stop: unknown): string | undefined {
  if (typeof stop === "string") return readStop({ [/\d/u.test(stop) ? "address" : "stop"]: stop });
  const names = ["place", "location", "city", "name", "stop", "title"];
  const name = names.map((key) => readText(stop, key)).find((text) => text !== undefined);
  if (name !== undefined) return name;
  const address = readText(stop, "address");
  return address === undefined ? undefined : toTown(address);
}

/** The town of an address, which has a number and several parts; undefined for anything else. */
export function townOf(place: string): string | undefined {
  const town = /\d/u.test(place) && /[,，]/u.test(place) ? toTown(place) : undefined;
  return town === place ? undefined : town;
}

/** Of "Rua Augusta 10, Lisboa, 1100": the last part that is no number. */
function toTown(address: string): string | undefined {
  return address
    .split(/[,，]/u)
    .map((part) => part.trim())
    .findLast((part) => /\p{L}/u.test(part));
}
