import { join } from "node:path";
import type { AgentCore } from "../../agent/deps.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { Log } from "../../core/log.ts";
import type { Author } from "../../planner/author.ts";
import { createToolVersions } from "../../planner/context/context.ts";
import type { DiscussDeps } from "../../planner/discuss.ts";
import { createModelAuthor } from "../../planner/model-author.ts";
import { createOfflineAuthor } from "../../planner/offline/offline.ts";
import type { OnlineDeps } from "../../planner/online/online.ts";
import { createOperations, type Operations } from "../../planner/operations.ts";
import type { PlanRecords } from "../../planner/plan.ts";
import { createTracePlanner } from "../../planner/trace-call.ts";
import { spread, type Way } from "../../planner/tries/tries.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { Provider } from "../../providers/provider.ts";
import { toInjectionCheck } from "../../security/injection.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import { createRoutineRuns } from "../../store/routines/routines.ts";
import { createVerificationStore } from "../../store/verifications.ts";
import { shippedFolder } from "../../system/own/files.ts";
import { outerPath } from "../../system/run/run.ts";
import { createSandbox } from "../../system/sandbox/sandbox.ts";
import type { Trace } from "../../trace/trace.ts";
import { applyMemoryPatch } from "../../workspace/project-memory.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { toContextLimits } from "./context-limits.ts";
import { type Models, pricesOf } from "./models.ts";
import { createReadLogs } from "./read-logs.ts";
import { sandboxOptions } from "./sandbox-options.ts";
import type { SharedServices } from "./shared-services.ts";

/** The workspace of the tour comes with papa-yu: its checks are ours. */
const SAMPLE = [shippedFolder("workspaces/sample")]
  .filter((root) => root !== undefined)
  .map((root) => ({ root, commands: [JSON.stringify(["bun", "run", "test"])] }));

/** What the planner shares with the rest of the agent. */
export interface PlannerParts {
  readonly core: AgentCore;
  readonly models: Models;
  readonly trace: (workspace: Workspace, record: Trace) => void;
}

/** Everything that plans, applies and undoes; loaded with the first use of it. */
export async function createPlanner(
  loaded: LoadedConfig,
  services: SharedServices,
  parts: PlannerParts,
): Promise<Operations> {
  const { log, clock } = services;
  const { env, notice = () => {} } = services.environment;
  const { security, protocol, agent } = loaded.config;
  const { author: given } = services.environment;
  const author = given ?? createAuthor(loaded, services, parts.models.provider);
  const online = await openOnline(loaded, services, parts);
  const sandboxed = sandboxOptions(loaded, env);
  const limits = toContextLimits(loaded.config);
  const asked: Omit<DiscussDeps, "answers"> = {
    limits,
    offers: { research: online !== undefined, memory: loaded.memoryAutopatch },
    sources: {
      toolVersions: createToolVersions({ ...env, PATH: outerPath(env, sandboxed.workspaces) }),
      readLogs: createReadLogs(loaded.home, createRoutineRuns(services.state.store)),
      redact: parts.core.redact,
    },
  };
  const sandbox = createSandbox(sandboxed);
  const toWay = (writer: Author): Way => {
    const check = toInjectionCheck(security.injection_check);
    const answers = { author: writer, check, fallback: protocol.fallback_to_v1, log };
    const records = createRecords(loaded, services, { ...parts, author: writer });
    const discussion = { ...asked, answers };
    return {
      planner: { discussion, records, protocolVersion: toVersion(protocol.version) },
      changes: { answers, records, normalizeEol: protocol.normalize_eol, limits },
    };
  };
  const toWays = (count: number) => openAuthors(loaded, services, parts.models, count).map(toWay);
  return createOperations({
    ...toWay(author),
    // Built-in rules know one way only.
    paying: { charge: parts.models.charge, measure: parts.models.paying.measure },
    ways: given || author.name === "offline" ? () => [toWay(author)] : toWays,
    // Built-in rules have nothing else to propose.
    maxFixRounds: author.name === "offline" ? 0 : agent.max_fix_rounds,
    transactions: {
      autonomy: security.autonomy,
      sandbox,
      viewsDir: join(loaded.home, "views"),
      env,
      verifications: createVerificationStore(services.state.store, SAMPLE),
      redact: parts.core.redact,
      clock,
      log,
    },
    folders: { workspaceAt: (name) => parts.core.workspaces.get(name), notice, log },
    ...(online && { online }),
  });
}

/** So many authors, no two alike: every model of the configuration, then those freer or stricter. */
function openAuthors(
  loaded: LoadedConfig,
  services: SharedServices,
  { alone }: Models,
  count: number,
): readonly Author[] {
  const { temperature } = loaded.config.default;
  return spread(alone(), count, temperature).map(({ choice, temperature: own }) =>
    createAuthor(loaded, services, choice, own),
  );
}

function createAuthor(
  { config }: LoadedConfig,
  { log, clock }: SharedServices,
  provider: Provider,
  temperature = config.default.temperature,
): Author {
  if (provider.name === "offline") return createOfflineAuthor(clock.now);
  const settings = config.providers[provider.name];
  return createModelAuthor(provider, {
    strict: settings?.strict_json ?? false,
    temperature,
    tokenBudget: settings?.max_tokens ?? 0,
    log,
  });
}

function createRecords(
  { config, memoryAutopatch }: LoadedConfig,
  { state, secrets, log, clock }: SharedServices,
  { author, trace: write, models }: PlannerParts & { readonly author: Author },
): PlanRecords {
  const { context, security, trace, protocol } = config;
  return {
    plans: createPlanStore(state.store),
    trace: createTracePlanner({
      author,
      configSnapshot: { context, protocol, autonomy: security.autonomy, trace },
      pricesOf: (name) => pricesOf(config, name),
      now: clock.now,
      write,
    }),
    clock,
    payer() {
      const { name, own } = models.paying.payer();
      return { name, ...own };
    },
    ...(memoryAutopatch && { remember: createRemember(log, secrets.redactor.redact) }),
  };
}

/** Remembering is a courtesy: what cannot be kept is one log line. */
function createRemember(
  log: Log,
  redact: (text: string) => string,
): NonNullable<PlanRecords["remember"]> {
  const mask = (_key: string, value: unknown) =>
    typeof value === "string" ? redact(value) : value;
  return (workspace, patch) => {
    const applied = applyMemoryPatch(workspace, JSON.parse(JSON.stringify(patch), mask));
    if (applied.ok) log("MEMORY_PATCHED", { keys: applied.changed.join(",") });
    else log("MEMORY_NOT_PATCHED", { reason: applied.message });
  };
}

/** Undefined while research is off, or no model is there to summarise. */
async function openOnline(
  { config }: LoadedConfig,
  { state, secrets, log, clock }: SharedServices,
  { core, models: { provider, extractProvider } }: PlannerParts,
): Promise<OnlineDeps | undefined> {
  if (!config.online_research.enabled || provider.name === "offline") return undefined;
  const { createOnline } = await import("./create-online.ts");
  return createOnline({
    config,
    store: state.store,
    settings: core.settings,
    secret: secrets.read,
    redact: secrets.redactor.redact,
    provider: extractProvider(),
    strict: config.providers[provider.name]?.strict_json ?? false,
    log,
    clock,
  });
}

/** The configuration allows 1 to 3 and nothing else. */
function toVersion(version: number): ProtocolVersion {
  return version === 1 || version === 3 ? version : 2;
}
