import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret } from "../../config/secret.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { toServerSettings } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import { createServer, type ServerSettings } from "../../tools/mcp/server.ts";
import type { Caller } from "../context.ts";

/** Starts every configured MCP server, asks for its tools and ends it again. */
export function checkMcp(
  loaded: LoadedConfig,
  env: Caller["env"],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { add, redact } = createRedactor();
  const secret = (reference: string) => {
    const found = resolveSecret(reference, { env, home: loaded.userHome });
    if (!found.ok) throw new AppError(found.code, found.message);
    if (found.value !== undefined) add(found.value);
    return found.value;
  };
  const servers = toServerSettings({ loaded, env, secret });
  return Promise.all(servers.map((settings) => checkServer(settings, redact, signal)));
}

async function checkServer(
  settings: ServerSettings,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<Finding> {
  const name = `MCP server ${settings.name}`;
  const server = createServer(settings, systemClock);
  try {
    const listed = await server.list(signal);
    const tools = listed.tools.map((tool) => tool.name);
    const { allowedTools, readOnlyTools } = settings;
    const unknown = [...allowedTools, ...readOnlyTools].filter((each) => !tools.includes(each));
    const rest = listed.leftOut > 0 ? `; ${listed.leftOut} more cannot be used` : "";
    const mends = [
      ...(unknown.length > 0
        ? [`it has no ${unknown.join(", ")}: fix allowed_tools or read_only_tools`]
        : []),
      ...(rest === "" ? [] : ["docs/tools.md says which are left out"]),
    ];
    const state = mends.length === 0 ? "ok" : "warning";
    return { name, state, found: `${tools.length} tools${rest}`, mend: mends.join("; ") };
  } catch (error) {
    const found = toVisibleText(redact(`does not start: ${errorMessage(error)}`));
    const mend = `fix [mcp.servers.${settings.name}], or set enabled = false`;
    return { name, state: "failed", found, mend };
  } finally {
    await server.close();
  }
}
