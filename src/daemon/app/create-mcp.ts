import { resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import type { LoadedConfig } from "../../config/load/load.ts";
import { expandHome } from "../../config/paths.ts";
import type { Config } from "../../config/schema/schema.ts";
import { isLiteralSecret, isSecretUnder, secretArguments } from "../../config/secret.ts";
import { sha256 } from "../../core/sha256.ts";
import { childEnvironment } from "../../system/child-environment.ts";
import type { Launch } from "../../tools/mcp/mcp.ts";
import type { ServerSettings } from "../../tools/mcp/server.ts";

type Entry = Config["mcp"]["servers"][string];

/** What the configured servers need from their surroundings. */
export interface McpWorld {
  readonly loaded: LoadedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A secret's value, masked wherever it shows up. Throws AppError. */
  readonly secret: (reference: string, isText?: true) => string | undefined;
}

/** The servers of a configuration; their secrets are read when they are started. */
export function toServerSettings(world: McpWorld): readonly ServerSettings[] {
  return Object.entries(world.loaded.config.mcp.servers)
    .filter(([, { enabled }]) => enabled)
    .map(([name, entry]) => ({
      name,
      launch: () => toLaunch(entry, world),
      // Which list its owner has read makes no other server of it.
      fingerprint: sha256(JSON.stringify({ ...entry, tools_sha256: undefined })),
      allowedTools: entry.allowed_tools,
      readOnlyTools: entry.read_only_tools,
      toolsSha256: entry.tools_sha256,
      timeoutMs: entry.timeout_s * 1000,
      version: packageJson.version,
    }));
}

function toLaunch(entry: Entry, { loaded, env, secret }: McpWorld): Launch {
  const { command, args, cwd, url, bearer_token } = entry;
  if (url !== "") {
    const token = secret(bearer_token);
    const headers = readValues(entry.headers, secret);
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    return { kind: "http", url, headers };
  }
  const text = (reference: string) => secret(reference, true);
  for (const each of secretArguments(args).filter(isLiteralSecret)) text(each); // masked from now on
  return {
    kind: "stdio",
    argv: [expandHome(command, loaded.userHome), ...args],
    cwd: resolve(loaded.baseDir, expandHome(cwd, loaded.userHome)),
    env: { ...childEnvironment(env), ...readValues(entry.env, text) },
  };
}

/** A plain text such as "debug" is no secret: masked, it would mask that word everywhere. */
function readValues(
  given: Readonly<Record<string, string>>,
  secret: McpWorld["secret"],
): Record<string, string> {
  const read = Object.entries(given).map(([name, text]) => {
    const isPlain = isLiteralSecret(text) && !isSecretUnder(name, text);
    return [name, isPlain ? text : (secret(text) ?? "")];
  });
  return Object.fromEntries(read);
}
