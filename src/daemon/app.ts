import type { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { AgentDeps } from "../agent/deps.ts";
import { createWorkspaces } from "../agent/workspaces.ts";
import type { LoadedConfig, LoadOptions } from "../config/load.ts";
import { resolveSecret } from "../config/secret.ts";
import { resolveWorkspace } from "../config/workspaces.ts";
import { AppError } from "../core/app-error.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Author } from "../planner/author.ts";
import { deferOperations } from "../planner/defer-operations.ts";
import type { Operations } from "../planner/operations.ts";
import { createBudget, toDay } from "../providers/budget.ts";
import { createCapabilities } from "../providers/capabilities.ts";
import type { Provider } from "../providers/provider.ts";
import { toInjectionCheck } from "../security/injection.ts";
import { createRedactor, type Redactor } from "../security/redact.ts";
import { createApprovalStore } from "../store/approvals.ts";
import { createMemoryStore } from "../store/memories.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/sessions.ts";
import { createSettings } from "../store/settings.ts";
import { createSpendingStore } from "../store/spending.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";
import { type Texts, textsIn } from "../texts/texts.ts";
import { createTools } from "../tools/create.ts";
import { createMcpTools } from "../tools/mcp/create.ts";
import { createToolLists } from "../tools/mcp/tool-lists.ts";
import { createLog } from "../trace/log.ts";
import { writeTrace } from "../trace/recorder.ts";
import type { Trace } from "../trace/trace.ts";
import { findSkills, skillPlaces } from "../workspace/skills.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { chooseProvider } from "./choose-provider.ts";
import { createCommandDeps } from "./command-deps.ts";
import { toServerSettings } from "./create-mcp.ts";
import { createWebTools } from "./create-web-tools.ts";
import { pricesOf } from "./prices-of.ts";

/** What the edge hands in. */
export interface AppEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative workspace paths of a command line start from. */
  readonly cwd: string;
  /** Gets one log line with its newline. */
  readonly writeLog: (line: string) => void;
  readonly clock?: Clock;
  /** Tells the person something nobody asked for; without it only the log knows. */
  readonly notice?: (text: string) => void;
  /** Answers instead of the configured provider. */
  readonly provider?: Provider;
  /** Writes the plans instead of the provider. */
  readonly author?: Author;
}

/** Everything a command or the daemon works with, wired once; what runs tools awaits its end. */
export interface App extends Disposable, AsyncDisposable {
  readonly loaded: LoadedConfig;
  readonly store: Database;
  readonly operations: Operations;
  readonly agent: AgentDeps;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** The interface's words, in the language of the configuration. */
  readonly texts: () => Texts;
  /** A secret's value, known to the redactor from then on; undefined when none is set. */
  secret(reference: string): string | undefined;
}

/** Wires stores, provider, planner, tools and agent for one configuration. */
export function createApp(loaded: LoadedConfig, environment: AppEnvironment): App {
  const { config, home } = loaded;
  const { env, clock = systemClock } = environment;
  const redactor = createRedactor();
  const log = createLog({ write: environment.writeLog, redact: redactor.redact, now: clock.now });
  const secret = (reference: string) => readSecret(reference, loaded, env, redactor);
  const store = openState(home);
  const settings = createSettings(store);
  const capabilities = createCapabilities(settings, clock.now);
  const spending = createSpendingStore(store);
  const budget = createBudget({
    ledger: spending,
    caps: { tokens: config.agent.max_tokens_per_day, cost: config.agent.max_cost_per_day },
    pricesOf: (name) => pricesOf(config, name),
    configPath: loaded.path ?? "config.toml",
    now: clock.now,
  });
  const choose = (isForExtracts: boolean) => {
    const parts = { config, isForExtracts, capabilities, pay: budget.wrap, secret, log, clock };
    const { provider: given } = environment;
    if (given === undefined) return chooseProvider(parts);
    return given.name === "offline" ? given : budget.wrap(given);
  };
  const provider = choose(false);
  const resolve = (name: string | undefined): Workspace =>
    resolveWorkspace(loaded, name, environment.cwd);
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
  });
  const commands = createCommandDeps(loaded, env, clock);
  const toolDeps = {
    memories: createMemoryStore(store),
    options: toLoadOptions(loaded, environment),
    redact: redactor.redact,
    now: clock.now,
  };
  const webTools = createWebTools({
    config,
    store,
    secret,
    redactor,
    extractProvider: provider.name === "offline" ? undefined : () => choose(true),
    log,
    clock,
  });
  const mcp = createMcpTools(toServerSettings({ loaded, env, secret }), {
    lists: createToolLists(settings, clock.now),
    log,
    clock,
  });
  const agent: AgentDeps = {
    operations,
    workspaces: createWorkspaces(
      config.workspaces.map(({ name }) => name),
      resolve,
    ),
    sessions: createSessionStore(store),
    approvals: createApprovalStore(store),
    settings,
    atomically: (work) => store.transaction(work).immediate(),
    provider,
    extractProvider: () => choose(true),
    charge: budget.charge,
    spent: (payer) => spending.spent(toDay(clock.now()), payer),
    toolsFor: async (context, signal, onProgress) => [
      ...createTools(context, { ...toolDeps, commands }),
      ...webTools(context.workspace),
      ...(await mcp.tools(signal, onProgress)),
    ],
    skillsFor: (workspace) => findSkills(skillPlaces(home, workspace)).skills,
    trace,
    redact: redactor.redact,
    limits: {
      maxToolIterations: config.agent.max_tool_iterations,
      maxFailedRounds: config.agent.max_failed_rounds,
      maxFailuresInARow: config.agent.max_consecutive_tool_failures,
      turnTimeoutMs: config.agent.turn_timeout_s * 1000,
    },
    security: {
      autonomy: config.security.autonomy,
      injectionCheck: toInjectionCheck(config.security.injection_check),
      allowedCommands: config.security.allowed_commands,
    },
    language: config.default.language,
    approvalTimeoutMs: config.telegram.approval_timeout_s * 1000,
    temperature: config.default.temperature,
    log,
    clock,
  };
  return {
    loaded,
    store,
    operations,
    agent,
    log,
    redactor,
    clock,
    texts: () => textsIn(agent.language),
    secret,
    [Symbol.dispose]: () => store.close(),
    async [Symbol.asyncDispose]() {
      await mcp.close();
      store.close();
    },
  };
}

/** The very file that was loaded, wherever papa-yu was started. */
function toLoadOptions(
  { path, userHome }: LoadedConfig,
  { cwd, env }: AppEnvironment,
): LoadOptions {
  return { ...(path !== undefined && { path }), cwd, env, home: userHome };
}

function openState(home: string): Database {
  makePrivateDir(home);
  const path = join(home, "state.db");
  // A new file is for its owner alone, and SQLite gives the files beside it the same mode.
  closeSync(openSync(path, "a", 0o600));
  return openStore(path);
}

function readSecret(
  reference: string,
  { userHome }: LoadedConfig,
  env: AppEnvironment["env"],
  redactor: Redactor,
): string | undefined {
  const secret = resolveSecret(reference, { env, home: userHome });
  if (!secret.ok) throw new AppError(secret.code, secret.message);
  if (secret.value !== undefined) redactor.add(secret.value);
  return secret.value;
}
