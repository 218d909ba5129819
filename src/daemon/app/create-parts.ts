import type { Database } from "bun:sqlite";
import type { Agent, AgentCore, CommandDeps, TurnDeps } from "../../agent/deps.ts";
import { createWorkspaces } from "../../agent/workspaces.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import { rememberWorkspaces } from "../../config/workspaces.ts";
import { newId } from "../../core/ids.ts";
import { sha256 } from "../../core/sha256.ts";
import type { Operations } from "../../planner/operations.ts";
import { toInjectionCheck } from "../../security/injection.ts";
import { createMemoryStore } from "../../store/memories/memories.ts";
import { readHomeId } from "../../store/open/open.ts";
import { type Texts, textsIn } from "../../texts/texts.ts";
import { createConfigTool } from "../../tools/config.ts";
import {
  createMcpTools,
  createToolLists,
  type McpTools,
  ONLY_TURN_MS,
} from "../../tools/mcp/mcp.ts";
import { createHeldSegment, writeTrace } from "../../trace/recorder.ts";
import { rememberSkills } from "../../workspace/skills/skills.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { toServerSettings } from "./create-mcp.ts";
import type { PlannerParts } from "./create-planner.ts";
import { createModels, type Models } from "./models.ts";
import type { SharedServices } from "./shared-services.ts";
import { createTurnTools, type ToolPlaces } from "./turn-tools.ts";

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
export function createParts(
  loaded: LoadedConfig,
  services: SharedServices,
  previous?: Parts,
): Parts {
  const core = createCore(loaded, services);
  const models = createModels(loaded, services, core.settings);
  const mcp = keptServers(loaded, previous) ?? createServers(loaded, services, core);
  const trace = createTrace(loaded, services);
  const plans = { core, operations: createPlans(loaded, services, { core, models, trace }) };
  const texts = textsIn(loaded.config.default.language);
  const places = toToolPlaces(services, texts);
  const toolsFor = createTurnTools(loaded, services, { models, mcp, places });
  const turns = { core, plans, ...toTurnRules(loaded, services, models), toolsFor, trace };
  const commands: CommandDeps = {
    core,
    plans,
    memories: places.memories,
    configTool: createConfigTool(places),
    providers: toProviderList(loaded, models),
    spent: models.spent,
  };
  const agent: Agent = { core, plans, turns, commands, charge: models.charge, texts };
  return { loaded, agent, mcp };
}

function createCore(
  loaded: LoadedConfig,
  { state, secrets, log, clock }: SharedServices,
): AgentCore {
  const { ledger, sessions, approvals, settings } = state;
  const { workspaces, security, telegram } = loaded.config;
  const names = workspaces.map(({ name }) => name);
  const resolve = rememberWorkspaces(loaded);
  const withLedger = new WeakMap<Workspace, Workspace>();
  const toOwn = (workspace: Workspace): Workspace =>
    withLedger.getOrInsertComputed(workspace, () => ({ ...workspace, ledger }));
  return {
    workspaces: createWorkspaces(
      names,
      (name) => toOwn(resolve(name)),
      (txId) => ledger.rootWith(txId),
    ),
    sessions,
    approvals,
    settings,
    security: {
      autonomy: security.autonomy,
      injectionCheck: toInjectionCheck(security.injection_check),
      allowedCommands: security.allowed_commands,
      allowedHosts: security.http_allowed_hosts,
      approvalTimeoutMs: telegram.approval_timeout_s * 1000,
    },
    redact: secrets.redactor.redact,
    log,
    clock,
  };
}

/** What plans, applies and undoes is loaded with its first use. */
function createPlans(
  loaded: LoadedConfig,
  services: SharedServices,
  parts: PlannerParts,
): Operations {
  return deferOperations(async () => {
    const { createPlanner } = await import("./create-planner.ts");
    return createPlanner(loaded, services, parts);
  }, services.state.ready);
}

function createTrace({ config }: LoadedConfig, services: SharedServices): TurnDeps["trace"] {
  const { secrets, log, state } = services;
  const { enabled, raw } = config.trace;
  const { redact } = secrets.redactor;
  let home: string | undefined;
  const held = createHeldSegment();
  const options = { home: () => (home ??= toTraceHome(state.store)), redact, log, raw, held };
  return (workspace, record) => {
    if (enabled) writeTrace(workspace, record, options);
  };
}

/** A home whose id could not be stored has segments of this process alone. */
function toTraceHome(store: Database): string {
  return sha256(`traces of ${readHomeId(store) ?? newId("home")}`).slice(0, 8);
}

function createServers(
  loaded: LoadedConfig,
  { environment, secrets, log, clock }: SharedServices,
  { settings }: AgentCore,
): McpTools {
  const servers = toServerSettings({ loaded, env: environment.env, secret: secrets.read });
  const lists = createToolLists(settings.of("mcp.tools."), clock.now);
  const patience = environment.isOnlyTurn ? { onlyTurnMs: ONLY_TURN_MS } : {};
  return createMcpTools(servers, { lists, log, clock, ...patience });
}

function keptServers({ config, baseDir }: LoadedConfig, previous?: Parts): McpTools | undefined {
  if (!previous || previous.loaded.baseDir !== baseDir) return undefined;
  return Bun.deepEquals(previous.loaded.config.mcp, config.mcp) ? previous.mcp : undefined;
}

function toToolPlaces({ source, state, secrets, clock }: SharedServices, texts: Texts): ToolPlaces {
  return {
    memories: createMemoryStore(state.store),
    options: source,
    texts: texts.config,
    redact: secrets.redactor.redact,
    now: clock.now,
  };
}

function toTurnRules(
  { config, home }: LoadedConfig,
  { state, secrets }: SharedServices,
  { provider, extractProvider }: Models,
): Pick<TurnDeps, "models" | "skillsFor" | "limits" | "commit"> {
  const { agent } = config;
  const { temperature } = config.default;
  const { findCut } = secrets.redactor;
  return {
    models: { provider, extractProvider, temperature, findCut },
    skillsFor: rememberSkills(home),
    limits: {
      maxToolIterations: agent.max_tool_iterations,
      maxFailedRounds: agent.max_failed_rounds,
      maxFailuresInARow: agent.max_consecutive_tool_failures,
      turnTimeoutMs: agent.turn_timeout_s * 1000,
    },
    commit: state.commit,
  };
}

function toProviderList({ config }: LoadedConfig, { provider }: Models): CommandDeps["providers"] {
  const configured = Object.entries(config.providers).map(([name, { model }]) => ({ name, model }));
  return { current: provider, configured };
}

/**
 * Operations whose parts are loaded at the first call, so that a chat starts without them. Before
 * and after each, `ready` is waited for.
 */
function deferOperations(
  load: () => Promise<Operations>,
  ready: () => Promise<void> | undefined,
): Operations {
  let loading: Promise<Operations> | undefined;
  async function use<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    const operations = await (loading ??= load());
    await ready();
    const result = await work(operations);
    await ready();
    return result;
  }
  return {
    plan: (...args) => use((operations) => operations.plan(...args)),
    planPatch: (...args) => use((operations) => operations.planPatch(...args)),
    tryWays: (...args) => use((operations) => operations.tryWays(...args)),
    tryAnother: (...args) => use((operations) => operations.tryAnother(...args)),
    waysOf: (...args) => use((operations) => operations.waysOf(...args)),
    followsWords: () => use((operations) => operations.followsWords()),
    goneFolder: (...args) => use((operations) => operations.goneFolder(...args)),
    leaveOut: (...args) => use((operations) => operations.leaveOut(...args)),
    rewrite: (...args) => use((operations) => operations.rewrite(...args)),
    planAgain: (...args) => use((operations) => operations.planAgain(...args)),
    preview: (...args) => use((operations) => operations.preview(...args)),
    showAgain: (...args) => use((operations) => operations.showAgain(...args)),
    seeChecks: (...args) => use((operations) => operations.seeChecks(...args)),
    listChecks: (...args) => use((operations) => operations.listChecks(...args)),
    check: (...args) => use((operations) => operations.check(...args)),
    apply: (...args) => use((operations) => operations.apply(...args)),
    checkUndo: (...args) => use((operations) => operations.checkUndo(...args)),
    undo: (...args) => use((operations) => operations.undo(...args)),
    research: (...args) => use((operations) => operations.research(...args)),
    planWithResearch: (...args) => use((operations) => operations.planWithResearch(...args)),
    checkResearch: (...args) => use((operations) => operations.checkResearch(...args)),
    stopAutoUse: (...args) => use((operations) => operations.stopAutoUse(...args)),
    autoUse: (...args) => use((operations) => operations.autoUse(...args)),
    redo: (...args) => use((operations) => operations.redo(...args)),
  };
}
