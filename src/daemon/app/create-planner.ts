import type { Database } from "bun:sqlite";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { Config } from "../../config/schema/schema.ts";
import type { Clock } from "../../core/clock.ts";
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
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { Provider } from "../../providers/provider.ts";
import { createPlanStore } from "../../store/plans.ts";
import { createRoutineRuns } from "../../store/routines/routines.ts";
import { createSandbox } from "../../system/sandbox/sandbox.ts";
import type { Trace } from "../../trace/trace.ts";
import { applyMemoryPatch } from "../../workspace/project-memory.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { pricesOf } from "./prices-of.ts";
import { createReadLogs } from "./read-logs.ts";
import { sandboxOptions } from "./sandbox-options.ts";

/** What the planner is made of. */
export interface PlannerParts {
  readonly loaded: LoadedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: Provider;
  /** Answers for short work on what was read. */
  readonly extractProvider: () => Provider;
  readonly secret: (reference: string) => string | undefined;
  readonly redact: (text: string) => string;
  /** Writes the plans instead of the provider. */
  readonly author?: Author;
  readonly store: Database;
  readonly trace: (workspace: Workspace, record: Trace) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly resolve: (name: string) => Workspace;
  readonly notice: (text: string) => void;
}

/** Everything that plans, applies and undoes; loaded with the first use of it. */
export async function createPlanner(parts: PlannerParts): Promise<Operations> {
  const { loaded, provider, store, redact, log, clock } = parts;
  const { config, home, memoryAutopatch } = loaded;
  const author = parts.author ?? createAuthor(config, provider, log, clock);
  const { context, security, trace, protocol } = config;
  const online = await openOnline(parts);
  const answers = { author, fallback: protocol.fallback_to_v1, log };
  const records: PlanRecords = {
    plans: createPlanStore(store),
    trace: createTracePlanner({
      author,
      configSnapshot: { context, protocol, autonomy: security.autonomy, trace },
      pricesOf: (name) => pricesOf(config, name),
      now: clock.now,
      write: parts.trace,
    }),
    clock,
    ...(memoryAutopatch && { remember: createRemember(log, redact) }),
  };
  const discussion: DiscussDeps = {
    answers,
    limits: {
      maxFiles: context.max_files,
      maxFileChars: context.max_file_chars,
      maxTotalChars: context.max_total_chars,
      maxLogChars: context.max_log_chars,
    },
    offers: { research: online !== undefined, memory: memoryAutopatch },
    sources: {
      toolVersions: createToolVersions(parts.env),
      readLogs: createReadLogs(home, createRoutineRuns(store)),
      redact,
    },
  };
  const sandbox = createSandbox(sandboxOptions(loaded, parts.env));
  return createOperations({
    planner: { discussion, records, protocolVersion: toVersion(protocol.version) },
    changes: { answers, records, normalizeEol: protocol.normalize_eol },
    transactions: { autonomy: security.autonomy, sandbox, clock, log },
    folders: { workspaceAt: parts.resolve, notice: parts.notice, log },
    ...(online && { online }),
  });
}

/** Undefined while research is off, or no model is there to summarise. */
async function openOnline(parts: PlannerParts): Promise<OnlineDeps | undefined> {
  const { config } = parts.loaded;
  const { name } = parts.provider;
  if (!config.online_research.enabled || name === "offline") return undefined;
  const strict = config.providers[name]?.strict_json ?? false;
  const { createOnline } = await import("./create-online.ts");
  return createOnline({ ...parts, config, provider: parts.extractProvider(), strict });
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

function createAuthor(config: Config, provider: Provider, log: Log, clock: Clock): Author {
  if (provider.name === "offline") return createOfflineAuthor(clock.now);
  const settings = config.providers[provider.name];
  return createModelAuthor(provider, {
    strict: settings?.strict_json ?? false,
    temperature: config.default.temperature,
    ...(settings?.max_tokens !== undefined && { maxTokens: settings.max_tokens }),
    log,
  });
}

/** The configuration allows 1 to 3 and nothing else. */
function toVersion(version: number): ProtocolVersion {
  return version === 1 || version === 3 ? version : 2;
}
