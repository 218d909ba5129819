import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret } from "../../config/secret.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { toServerSettings } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import { createServer, type ServerSettings } from "../../tools/mcp/server.ts";
import type { Caller } from "../context.ts";

/** Starts every configured MCP server, asks for its tools and ends it again. */
export function checkMcp(
  loaded: LoadedConfig,
  env: Caller["env"],
  words: DoctorWords,
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
  return Promise.all(servers.map((settings) => checkServer(settings, redact, words, signal)));
}

async function checkServer(
  settings: ServerSettings,
  redact: (text: string) => string,
  { joins, mcp: words }: DoctorWords,
  signal: AbortSignal,
): Promise<Finding> {
  const name = `MCP server ${settings.name}`;
  const server = createServer(settings, systemClock);
  try {
    const listed = await server.list(signal);
    const tools = listed.tools.map((tool) => tool.name);
    const { allowedTools, readOnlyTools } = settings;
    const unknown = [...allowedTools, ...readOnlyTools].filter((each) => !tools.includes(each));
    const rest = listed.leftOut > 0 ? [words.leftOut(listed.leftOut)] : [];
    const mends = [
      ...(unknown.length > 0 ? [words.unknown(joins.list(unknown))] : []),
      ...rest.map(() => words.which),
    ];
    const state = mends.length === 0 ? "ok" : "warning";
    const found = joins.facts([words.tools(tools.length), ...rest]);
    return { name, state, found, mend: joins.facts(mends) };
  } catch (error) {
    const found = toVisibleText(redact(words.doesNotStart(errorMessage(error))));
    return { name, state: "failed", found, mend: words.fix(settings.name) };
  } finally {
    await server.close();
  }
}
