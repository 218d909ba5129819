import type { Database } from "bun:sqlite";
import type { Agent, AgentCore, CommandDeps, PlanDeps, TurnDeps } from "../../agent/deps.ts";
import { createWorkspaces } from "../../agent/workspaces.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { LoadOptions } from "../../config/places/places.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { deferOperations } from "../../planner/defer-operations.ts";
import { createBudget, toDay } from "../../providers/budget.ts";
import { createCapabilities } from "../../providers/capabilities.ts";
import type { Provider } from "../../providers/provider.ts";
import { toInjectionCheck } from "../../security/injection.ts";
import type { Redactor } from "../../security/redact.ts";
import { createApprovalStore } from "../../store/approvals.ts";
import { createMemoryStore } from "../../store/memories/memories.ts";
import { createSessionStore } from "../../store/sessions.ts";
import { createSettings } from "../../store/settings/settings.ts";
import { createSpendingStore } from "../../store/spending.ts";
import type { Ready } from "../../store/when-writable.ts";
import { textsIn } from "../../texts/texts.ts";
import { createConfigTool } from "../../tools/config.ts";
import { createMcpTools, createToolLists, type McpTools } from "../../tools/mcp/mcp.ts";
import type { RoutineAccess } from "../../tools/routine.ts";
import { writeTrace } from "../../trace/recorder.ts";
import type { Trace } from "../../trace/trace.ts";
import type { Ledger } from "../../workspace/ledger.ts";
import { findSkills, skillPlaces } from "../../workspace/skills/skills.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AppEnvironment } from "./app-environment.ts";
import { chooseProvider } from "./choose-provider.ts";
import { createCommandDeps } from "./command-deps.ts";
import { toServerSettings } from "./create-mcp.ts";
import type { createWebTools } from "./create-web-tools.ts";
import { pricesOf } from "./prices-of.ts";
import { toolWhenReady, whenReady } from "./wait-for-store.ts";

/** What outlives every configuration. */
export interface House {
  readonly environment: AppEnvironment;
  readonly source: LoadOptions;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly secret: (reference: string) => string | undefined;
  readonly store: Database;
  readonly ledger: Ledger;
  readonly ready: Ready;
  /** The routines as the tool of that name works with them. */
  readonly openRoutines: () => Promise<RoutineAccess>;
  readonly clock: Clock;
}

/** What is made of one configuration; a turn works with one of these from its begin to its end. */
export interface Parts {
  readonly loaded: LoadedConfig;
  readonly agent: Agent;
  readonly mcp: McpTools;
}

/**
 * Makes provider, planner, tools and agent of a configuration; nothing is opened or started yet.
 * Servers whose settings are those of `previous` are kept.
 *
 * @throws AppError ERR_PROVIDER_UNKNOWN or ERR_SECRET_UNAVAILABLE
 */
export function createParts(loaded: LoadedConfig, house: House, previous?: Parts): Parts {
  const { config, home } = loaded;
  const { environment, redactor, log, secret, store, ledger, ready, openRoutines, clock } = house;
  const { env } = environment;
  const settings = createSettings(store, clock.now);
  const capabilities = createCapabilities(settings.of("capabilities."), clock.now);
  const spending = createSpendingStore(store);
  const budget = createBudget({
    ledger: spending,
    caps: { tokens: config.agent.max_tokens_per_day, cost: config.agent.max_cost_per_day },
    pricesOf: (name) => pricesOf(config, name),
    configPath: loaded.path ?? "config.toml",
    now: clock.now,
  });
  const choose = (isForExtracts: boolean) => {
    // Twice: what a call is paid with is written, too.
    const pay = (each: Provider) => whenReady(budget.wrap(whenReady(each, ready)), ready);
    const parts = { config, isForExtracts, capabilities, pay, secret, log, clock };
    const { provider: given } = environment;
    if (given === undefined) return chooseProvider(parts);
    return given.name === "offline" ? given : pay(given);
  };
  const provider = choose(false);
  const resolve = (name: string | undefined): Workspace => ({
    ...resolveWorkspace(loaded, name, environment.cwd),
    ledger,
  });
  const trace = (workspace: Workspace, record: Trace) => {
    if (!config.trace.enabled) return;
    writeTrace(workspace, record, { redact: redactor.redact, log, raw: config.trace.raw });
  };
  const { author, notice = () => {} } = environment;
  const edge = { log, clock, resolve, notice };
  const parts = {
    loaded,
    env,
    provider,
    extractProvider: () => choose(true),
    secret,
    redact: redactor.redact,
    store,
    trace,
    ...edge,
    ...(author && { author }),
  };
  const operations = deferOperations(async () => {
    const { createPlanner } = await import("./create-planner.ts");
    return createPlanner(parts);
  }, ready);
  const texts = textsIn(config.default.language);
  const memories = createMemoryStore(store);
  const commandTools = createCommandDeps(loaded, env, clock);
  const toolDeps = {
    memories,
    options: house.source,
    texts: texts.config,
    redact: redactor.redact,
    now: clock.now,
  };
  const webParts = {
    config,
    store,
    secret,
    redactor,
    extractProvider: provider.name === "offline" ? undefined : () => choose(true),
    log,
    clock,
  };
  let webTools: ReturnType<typeof createWebTools> | undefined;
  const openWebTools = async () => {
    const web = await import("./create-web-tools.ts");
    return (webTools ??= web.createWebTools(webParts));
  };
  const mcp =
    keptServers(loaded, previous) ??
    createMcpTools(toServerSettings({ loaded, env, secret }), {
      lists: createToolLists(settings.of("mcp.tools."), clock.now),
      log,
      clock,
    });
  const core: AgentCore = {
    workspaces: createWorkspaces(
      config.workspaces.map(({ name }) => name),
      resolve,
    ),
    sessions: createSessionStore(store),
    approvals: createApprovalStore(store),
    settings,
    security: {
      autonomy: config.security.autonomy,
      injectionCheck: toInjectionCheck(config.security.injection_check),
      allowedCommands: config.security.allowed_commands,
      allowedHosts: config.security.http_allowed_hosts,
      approvalTimeoutMs: config.telegram.approval_timeout_s * 1000,
    },
    redact: redactor.redact,
    log,
    clock,
  };
  const plans: PlanDeps = { core, operations };
  const turns: TurnDeps = {
    core,
    plans,
    models: {
      provider,
      extractProvider: () => choose(true),
      temperature: config.default.temperature,
      findCut: redactor.findCut,
    },
    async toolsFor(context, signal, tell) {
      // Loaded with the first turn: a start needs none of them.
      const { createTools } = await import("../../tools/create.ts");
      const forWorkspace = await openWebTools();
      const tools = [
        ...createTools(context, { ...toolDeps, commands: commandTools, routines: openRoutines }),
        ...forWorkspace(context.workspace),
        ...(await mcp.tools(signal, tell)),
      ];
      return tools.map((tool) => toolWhenReady(tool, ready));
    },
    skillsFor: (workspace) => findSkills(skillPlaces(home, workspace)).skills,
    limits: {
      maxToolIterations: config.agent.max_tool_iterations,
      maxFailedRounds: config.agent.max_failed_rounds,
      maxFailuresInARow: config.agent.max_consecutive_tool_failures,
      turnTimeoutMs: config.agent.turn_timeout_s * 1000,
    },
    atomically: (work) => store.transaction(work).immediate(),
    trace,
  };
  const commands: CommandDeps = {
    core,
    plans,
    memories,
    configTool: createConfigTool(toolDeps),
    providers: {
      current: provider,
      configured: Object.entries(config.providers).map(([name, { model }]) => ({ name, model })),
    },
    spent: (payer) => spending.spent(toDay(clock.now()), payer),
  };
  const charge: Agent["charge"] = (payer, work, caps) => {
    const begun = async () => {
      await ready();
      return work();
    };
    return budget.charge(payer, begun, caps);
  };
  const agent: Agent = { core, plans, turns, commands, charge, texts };
  return { loaded, agent, mcp };
}

function keptServers({ config, baseDir }: LoadedConfig, previous?: Parts): McpTools | undefined {
  if (!previous || previous.loaded.baseDir !== baseDir) return undefined;
  return Bun.deepEquals(previous.loaded.config.mcp, config.mcp) ? previous.mcp : undefined;
}
