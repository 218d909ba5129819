import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret } from "../../config/secret.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { toServerSettings } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { type InjectionCheck, toInjectionCheck } from "../../security/injection.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import { screenList } from "../../tools/mcp/screen-list.ts";
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
  const check = toInjectionCheck(loaded.config.security.injection_check);
  const look = { redact, words, check, signal };
  return Promise.all(servers.map((settings) => checkServer(settings, look)));
}

/** How servers are looked at. */
interface Look {
  readonly redact: (text: string) => string;
  readonly words: DoctorWords;
  readonly check: InjectionCheck;
  readonly signal: AbortSignal;
}

async function checkServer(
  settings: ServerSettings,
  { redact, words: { joins, mcp: words }, check, signal }: Look,
): Promise<Finding> {
  const name = `MCP server ${settings.name}`;
  const server = createServer(settings, systemClock);
  try {
    const listed = await server.list(signal);
    const tools = listed.tools.map((tool) => tool.name);
    const { allowedTools, readOnlyTools } = settings;
    const unknown = [...allowedTools, ...readOnlyTools].filter((each) => !tools.includes(each));
    const { leftOut: ordering } = screenList(settings.name, listed.tools, { check, log: () => {} });
    const rest = [
      ...(listed.leftOut > 0 ? [words.leftOut(listed.leftOut)] : []),
      ...(ordering > 0 ? [words.ordering(ordering)] : []),
    ];
    const mends = [
      ...(unknown.length > 0 ? [words.unknown(joins.list(unknown))] : []),
      ...(rest.length > 0 ? [words.which] : []),
    ];
    const state = mends.length === 0 ? "ok" : "warning";
    const found = joins.facts([words.tools(tools.length - ordering), ...rest]);
    return { name, state, found, mend: joins.facts(mends) };
  } catch (error) {
    const found = toVisibleText(redact(words.doesNotStart(errorMessage(error))));
    return { name, state: "failed", found, mend: words.fix(settings.name) };
  } finally {
    await server.close();
  }
}
