import type { Environment } from "../../core/environment.ts";
import type { Config } from "../schema/schema.ts";
import { findNode, type KeyPath, type SchemaNode } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";
import { renderAllowed } from "./render-allowed.ts";

/** What the environment did to a configuration. */
export interface Overrides {
  readonly warnings: readonly string[];
  /** Variables that could not be understood. */
  readonly junk: readonly { readonly variable: string; readonly message: string }[];
  /** PAPAYU_MEMORY_AUTOPATCH: a switch of the environment alone, no key of the file. */
  readonly memoryAutopatch: boolean;
  /** Keys that have their value from here. */
  readonly keys: readonly KeyPath[];
}

/** Variable and key; where two set the same key the later one wins. */
const VARIABLES: readonly (readonly [variable: string, ...path: string[]])[] = [
  ["PAPAYU_LLM_TEMPERATURE", "default", "temperature"],
  ["PAPAYU_LLM_TIMEOUT_SEC", "reliability", "request_timeout_s"],
  ["PAPAYU_PROTOCOL_DEFAULT", "protocol", "version"],
  ["PAPAYU_PROTOCOL_VERSION", "protocol", "version"],
  ["PAPAYU_PROTOCOL_FALLBACK_TO_V1", "protocol", "fallback_to_v1"],
  ["PAPAYU_NORMALIZE_EOL", "protocol", "normalize_eol"],
  ["PAPAYU_CONTEXT_MAX_FILES", "context", "max_files"],
  ["PAPAYU_CONTEXT_MAX_FILE_CHARS", "context", "max_file_chars"],
  ["PAPAYU_CONTEXT_MAX_TOTAL_CHARS", "context", "max_total_chars"],
  ["PAPAYU_TRACE", "trace", "enabled"],
  ["PAPAYU_TRACE_RAW", "trace", "raw"],
  ["PAPAYU_ONLINE_RESEARCH", "online_research", "enabled"],
  ["PAPAYU_ONLINE_AUTO_USE_AS_CONTEXT", "online_research", "auto_use_as_context"],
  ["PAPAYU_ONLINE_MAX_SOURCES", "online_research", "max_sources"],
  ["PAPAYU_ONLINE_MAX_PAGES", "online_research", "max_pages"],
  ["PAPAYU_ONLINE_PAGE_MAX_BYTES", "online_research", "page_max_bytes"],
  ["PAPAYU_ONLINE_TIMEOUT_SEC", "online_research", "timeout_s"],
  ["PAPAYU_ONLINE_CONTEXT_MAX_CHARS", "online_research", "context_max_chars"],
  ["PAPAYU_ONLINE_CONTEXT_MAX_SOURCES", "online_research", "context_max_sources"],
];

/** Variables of the active provider, and its keys. */
const PROVIDER_VARIABLES = [
  ["PAPAYU_LLM_API_URL", "base_url"],
  ["PAPAYU_LLM_MODEL", "model"],
  ["PAPAYU_LLM_STRICT_JSON", "strict_json"],
  ["PAPAYU_LLM_MAX_TOKENS", "max_tokens"],
  ["PAPAYU_ONLINE_MODEL", "extract_model"],
] as const;

/** Name of the provider that exists only in the environment. */
const ENVIRONMENT_PROVIDER = "env";

/**
 * Applies the environment to a configuration, in place: out of range is clamped with a warning,
 * what cannot be understood is reported and changes nothing. An empty variable counts as not set.
 *
 * Keys stay in the environment: the configuration only gets a reference to their variable.
 */
export function applyEnvironment(config: Config, env: Environment): Overrides {
  const { read, warnings, junk } = createReader(env);
  const keys: KeyPath[] = [];
  const put = (path: KeyPath, value: unknown) => {
    if (value === undefined) return;
    set(config, path, value);
    keys.push(path);
  };
  for (const [variable, ...path] of VARIABLES) {
    put(path, read(variable, findNode(path).node));
  }
  const provider = selectProvider(config, env);
  for (const [variable, key] of PROVIDER_VARIABLES) {
    const path = ["providers", provider ?? "", key];
    const value = read(variable, findNode(path).node);
    if (provider !== undefined) put(path, value);
    else if (value !== undefined) warnings.push(`${variable}: no effect, no provider is selected`);
  }
  if (provider !== undefined && isSet(env, "PAPAYU_LLM_API_KEY")) {
    put(["providers", provider, "api_key"], "env:PAPAYU_LLM_API_KEY");
  }
  if (config.online_research.search === "tavily" && isSet(env, "PAPAYU_TAVILY_API_KEY")) {
    put(["online_research", "api_key"], "env:PAPAYU_TAVILY_API_KEY");
  }
  const memoryAutopatch = read("PAPAYU_MEMORY_AUTOPATCH", { type: "boolean" }) === true;
  return { warnings, junk, memoryAutopatch, keys };
}

/** A function that reads a variable by the schema of its key, and what it had to say. */
function createReader(env: Environment) {
  const warnings: string[] = [];
  const junk: { variable: string; message: string }[] = [];
  const read = (variable: string, node: SchemaNode): string | number | boolean | undefined => {
    const text = env[variable]?.trim();
    if (!text) return undefined;
    const value = parseValue(text, node);
    if (value === undefined) {
      const message = `found ${JSON.stringify(text)}, allowed: ${renderAllowed(node)}`;
      junk.push({ variable, message });
    }
    if (typeof value !== "number") return value;
    const clamped = Math.min(node.maximum ?? value, Math.max(node.minimum ?? value, value));
    if (clamped !== value) warnings.push(`${variable}: ${value} is out of range, ${clamped} holds`);
    return clamped;
  };
  return { read, warnings, junk };
}

function isSet(env: Environment, variable: string): boolean {
  return Boolean(env[variable]?.trim());
}

function parseValue(text: string, node: SchemaNode): string | number | boolean | undefined {
  if (node.type === "boolean") {
    if (/^(1|true|yes)$/i.test(text)) return true;
    return /^(0|false|no)$/i.test(text) ? false : undefined;
  }
  if (node.type === "integer") return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
  if (node.type === "number") return /^[+-]?\d*\.?\d+$/.test(text) ? Number(text) : undefined;
  if (node.enum) return node.enum.includes(text) ? text : undefined;
  const fits = text.length <= (node.maxLength ?? Infinity);
  return fits && new RegExp(node.pattern ?? "", "u").test(text) ? text : undefined;
}

function set(config: Config, path: KeyPath, value: unknown): void {
  const table = valueAt(config, path.slice(0, -1));
  const key = path.at(-1);
  if (key !== undefined && isTable(table)) table[key] = value;
}

/** The provider that the variables speak of; address or key alone make one when none is selected. */
function selectProvider({ default: selected, providers }: Config, env: Environment) {
  if (Object.hasOwn(providers, selected.provider)) return selected.provider;
  const isGiven = isSet(env, "PAPAYU_LLM_API_URL") || isSet(env, "PAPAYU_LLM_API_KEY");
  if (selected.provider !== "offline" || !isGiven) return undefined;
  selected.provider = ENVIRONMENT_PROVIDER;
  providers[ENVIRONMENT_PROVIDER] ??= {
    base_url: "https://api.openai.com/v1",
    api_key: "",
    model: "gpt-4o-mini",
    extract_model: "",
    strict_json: true,
  };
  return ENVIRONMENT_PROVIDER;
}
