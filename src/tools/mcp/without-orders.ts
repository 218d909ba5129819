import { applyInjectionCheck, type Screening, suspectInjection } from "../../security/injection.ts";
import type { ListedTool } from "./launch.ts";
import { wordsOfName } from "./words-of-name.ts";

/**
 * A listed tool as a model may see it: one whose words seem to give orders is there without them,
 * under "warn", too. A page that is only marked costs a warning; a description stands in every
 * request from then on, where a model is told what its tools are for.
 */
export function withoutOrders(server: string, tool: ListedTool, screening: Screening): ListedTool {
  const { name, parameters } = tool;
  const kind = suspectInjection(wordsOf(tool), { server, tool: name }, screening);
  if (kind === undefined || screening.check === "review") return tool;
  const description = applyInjectionCheck("", kind, "block");
  const bare = { name, description, parameters: withoutWords(parameters) };
  const isBare = suspectInjection(wordsOf(bare), {}, { ...screening, log: () => {} }) === undefined;
  return isBare ? bare : { name, description, parameters: NOTHING_SAID };
}

/** All that a model would read of a tool, names of arguments among it. */
function wordsOf({ name, description, parameters }: ListedTool): string {
  return [wordsOfName(name), description, ...textsIn(parameters)].join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

/** A schema without what only explains it. A property of such a name is no text and stays. */
function withoutWords(parameters: ListedTool["parameters"]): ListedTool["parameters"] {
  const json = JSON.stringify(parameters, (key, value: unknown) =>
    WORDS.has(key) && typeof value === "string" ? undefined : value,
  );
  const bare: ListedTool["parameters"] = JSON.parse(json);
  return bare;
}

const WORDS: ReadonlySet<string> = new Set(["description", "title", "$comment", "default"]);

/** The order is in the names or the values themselves: the server says what it misses. */
const NOTHING_SAID: ListedTool["parameters"] = { type: "object", properties: {} };
