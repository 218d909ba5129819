import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveKey, resolveSecret } from "../../config/secret.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { toServerSettings } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { type InjectionCheck, toInjectionCheck } from "../../security/injection.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import { hashList, screenList } from "../../tools/mcp/screen-list.ts";
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
  const secret = (reference: string, isText?: true) => {
    const found = (isText ? resolveSecret : resolveKey)(reference, { env, home: loaded.userHome });
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

/** Enough to know which server this is; `papayu tools` lists all. */
const MOST_NAMES = 20;

async function checkServer(
  settings: ServerSettings,
  { redact, words: { joins, mcp: words }, check, signal }: Look,
): Promise<Finding> {
  const name = `MCP server ${settings.name}`;
  const server = createServer(settings, systemClock);
  try {
    const listed = await server.list(signal);
    const tools = listed.tools.map((tool) => tool.name);
    const { allowedTools, readOnlyTools, toolsSha256 } = settings;
    const unknown = [...allowedTools, ...readOnlyTools].filter((each) => !tools.includes(each));
    const { leftOut: ordering } = screenList(settings.name, listed.tools, { check, log: () => {} });
    const rest = [
      ...(listed.leftOut > 0 ? [words.leftOut(listed.leftOut)] : []),
      ...(ordering > 0 ? [words.ordering(ordering)] : []),
    ];
    const sha256 = hashList(listed.tools);
    const isOwners = toolsSha256 === sha256;
    const list = words.list[isOwners ? "owners" : toolsSha256 === "" ? "strangers" : "changed"];
    const troubles = [
      ...(unknown.length > 0 ? [words.unknown(joins.list(unknown))] : []),
      ...(rest.length > 0 ? [words.which] : []),
    ];
    const isChanged = !isOwners && toolsSha256 !== "";
    const state = troubles.length === 0 && !isChanged ? "ok" : "warning";
    const few = joins.list(firstOf(tools, MOST_NAMES).lines((each) => each, words.more));
    const counted = `${words.tools(tools.length - ordering)}: ${toVisibleText(few)}`;
    const command = `papayu config set mcp.servers.${settings.name}.tools_sha256 ${sha256}`;
    const mends = [...troubles, ...(isOwners ? [] : [words.makeOwn(command)])];
    return { name, state, found: joins.facts([counted, ...rest, list]), mend: joins.facts(mends) };
  } catch (error) {
    const found = toVisibleText(redact(words.doesNotStart(errorMessage(error))));
    return { name, state: "failed", found, mend: words.fix(settings.name) };
  } finally {
    await server.close();
  }
}
