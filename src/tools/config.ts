import {
  isFileKey,
  isPersonsKey,
  maskConfig,
  parseKey,
  WHOLE_CONFIG,
} from "../config/keys/keys.ts";
import type { LoadOptions } from "../config/places/places.ts";
import { AppError } from "../core/app-error.ts";
import type { Texts } from "../texts/texts.ts";
import { failure, type Tool, type ToolArguments, type ToolResult } from "./tool.ts";

/** Whose configuration, and what must not be written into it. */
export interface ConfigAccess {
  readonly options: LoadOptions;
  /** Masks secrets; a value that it would mask is not written. */
  readonly redact: (text: string) => string;
  /** What a person reads of its calls. */
  readonly texts: Texts["config"];
}

/** `config`: shows the configuration, secrets masked, and sets one key of it. */
export function createConfigTool(access: ConfigAccess): Tool {
  return {
    schema: {
      name: "config",
      description: "Shows or sets papa-yu's own configuration, by keys such as default.language",
      parameters: {
        type: "object",
        properties: {
          action: { type: "string", description: "list, get or set" },
          key: { type: "string", description: "routines.jobs.NAME.enabled" },
          value: { type: "string", description: "text as it is; else TOML: true, 5, [1]" },
        },
        required: ["action"],
      },
    },
    origin: "own",
    leaves: "nothing",
    effect: ({ action, key = "" }) => {
      if (action !== "set") return "none";
      return isPersonsKey(String(key)) ? "person" : "rule";
    },
    isRare: true,
    describe: ({ action, key, value }) =>
      action === "set"
        ? access.texts.set(JSON.stringify(key), JSON.stringify(value))
        : access.texts.show,
    async run(args) {
      try {
        return await run(access, args);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, message } = error;
        return {
          ...failure(code === "ERR_IO" ? "internal" : "invalid_args", message),
          cause: code,
        };
      }
    },
  };
}

async function run(
  access: ConfigAccess,
  { action, key = "", value }: ToolArguments,
): Promise<ToolResult> {
  switch (action) {
    case "list":
      return show(access, "");
    case "get":
      return show(access, String(key));
    case "set":
      if (typeof value === "string") return set(access, String(key), value);
      return failure("invalid_args", "set needs key and value");
    default:
      return failure("invalid_args", '"action" must be list, get or set');
  }
}

async function show({ options, redact }: ConfigAccess, name: string): Promise<ToolResult> {
  const key = name === "" ? WHOLE_CONFIG : parseKey(name);
  if (!key.ok) return failure("invalid_args", key.message);
  const { loadConfig } = await import("../config/load/load.ts");
  const { readKey, renderKeys } = await import("../config/keys/show-key.ts");
  const value = readKey((await loadConfig(options)).config, key);
  return { ok: true, content: redact(renderKeys(value, key.steps).join("\n")) };
}

async function set(
  { options, redact, texts }: ConfigAccess,
  name: string,
  text: string,
): Promise<ToolResult> {
  const key = parseKey(name);
  if (!key.ok) return failure("invalid_args", key.message);
  const { parseValue } = await import("../config/edit/parse-value.ts");
  const value = parseValue(text, key.node);
  const { listKeys, readKey, renderKeys } = await import("../config/keys/show-key.ts");
  const closed = listKeys(value, key.steps).find((each) => isFileKey(each.key));
  if (closed) {
    const error = `Cannot set "${closed.key}" from a chat, whoever says yes; the owner sets it in the file, or with papayu config set`;
    return failure("denied", error);
  }
  if (redact(text) !== text || !Bun.deepEquals(maskConfig(value, key), value)) {
    const error = `Cannot set "${name}": the value holds a secret; give "env:NAME" or "file:PATH", and let the user put the secret there`;
    return failure("denied", error);
  }
  const { setKey } = await import("../config/edit/edit.ts");
  const done = await setKey(options, name, text);
  const lines = renderKeys(readKey(done.config, key), key.steps);
  const inTime = key.facts.needsRestart ? texts.writtenLater : texts.written;
  const head = done.isOverruled ? texts.overruled : inTime;
  return { ok: true, content: redact([head, ...lines].join("\n")) };
}
