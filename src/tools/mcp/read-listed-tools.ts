import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { shorten } from "../../core/cut-text.ts";
import { toForeignJson } from "../../core/guards.ts";
import { withoutHidden } from "../../core/visible-text.ts";
import type { ListedTool, ListedTools } from "./launch.ts";

const MAX_TOOLS = 128;
const MAX_NAME_CHARS = 128;
const MAX_DESCRIPTION_CHARS = 1024;
/** Of one tool's schema as JSON: models pay for it. */
const MAX_SCHEMA_CHARS = 32_000;

/**
 * A server's list of tools without what could deceive or drown a reader: hidden characters go,
 * descriptions are cut, a tool is left out whose name or schema is out of bounds, and so is the
 * second of a name.
 */
export function readListedTools(entries: readonly Tool[]): ListedTools {
  const tools = new Map<string, ListedTool>();
  for (const { name, description = "", inputSchema } of entries) {
    if (tools.size === MAX_TOOLS) break;
    const parameters = toParameters(inputSchema);
    if (!isName(name) || tools.has(name) || !parameters) continue;
    tools.set(name, { name, description: cut(withoutHidden(description)), parameters });
  }
  return { tools: [...tools.values()], leftOut: entries.length - tools.size };
}

function isName(name: string): boolean {
  return name !== "" && name.length <= MAX_NAME_CHARS && withoutHidden(name) === name;
}

/** The form that all providers take: an object with properties. */
function toParameters(schema: Tool["inputSchema"]): ListedTool["parameters"] | undefined {
  const { properties = {}, required = [], ...rest } = schema;
  const json = toForeignJson({ ...rest, properties, required }, cleanEntry);
  if (json === undefined || json.length > MAX_SCHEMA_CHARS) return undefined;
  const cleaned: ListedTool["parameters"] = JSON.parse(json);
  return cleaned;
}

/** One entry of a schema; undefined leaves it out. */
function cleanEntry(key: string, value: unknown): unknown {
  if (withoutHidden(key) !== key) return undefined;
  if (typeof value !== "string") return value;
  const visible = withoutHidden(value);
  return key === "description" ? cut(visible) : visible;
}

function cut(text: string): string {
  return shorten(text, MAX_DESCRIPTION_CHARS);
}
