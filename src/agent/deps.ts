import type { AgentEvent, Emit, Origin, Speaker } from "../channels/channel.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Operations } from "../planner/operations.ts";
import type { Amount, Budget } from "../providers/budget.ts";
import type { Provider } from "../providers/provider.ts";
import type { InjectionCheck } from "../security/injection.ts";
import type { Autonomy } from "../security/policy.ts";
import type { Redactor } from "../security/redact/redact.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import type { MemoryStore } from "../store/memories/memories.ts";
import type { RoutineRun } from "../store/routines/routines.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Settings } from "../store/settings/settings.ts";
import type { Commit } from "../store/writer/writer.ts";
import type { Texts } from "../texts/texts.ts";
import type { ToolContext } from "../tools/create.ts";
import type { McpNews } from "../tools/mcp/mcp.ts";
import type { RoutineService } from "../tools/routine-service.ts";
import type { Tool } from "../tools/tool.ts";
import type { Trace } from "../trace/trace.ts";
import type { WorkOutcome } from "../transaction/journal/journal.ts";
import type { Skill } from "../workspace/skills/skills.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The granted folders, as the agent needs them. */
export interface Workspaces {
  readonly names: readonly string[];
  /** By name; without one the first. Throws ERR_WORKSPACE_UNKNOWN. */
  get(name?: string): Workspace;
  withTransaction(txId: string): Workspace | undefined;
  /** The folder of a transaction, also of one that no workspace names any more. */
  readonly rootWith: (txId: string) => string | undefined;
  /** Where a work began a transaction, and what became of it. */
  withWork(
    workId: string,
  ): { readonly workspace: Workspace; readonly became: WorkOutcome } | undefined;
}

/** What the owner configured in `[security]`, as the agent applies and shows it. */
export interface SecurityRules {
  readonly autonomy: Autonomy;
  readonly injectionCheck: InjectionCheck;
  readonly allowedCommands: readonly string[];
  /** Hosts that the configuration names. */
  readonly allowedHosts: readonly string[];
  /** How long a question waits for its answer. */
  readonly approvalTimeoutMs: number;
}

/** Bounds of one turn. */
export interface TurnLimits {
  /** Rounds with at least one successful call. */
  readonly maxToolIterations: number;
  /** Rounds in a row in which every call failed. */
  readonly maxFailedRounds: number;
  /** Rounds in a row in which one tool was out of order before it is withdrawn. */
  readonly maxFailuresInARow: number;
  readonly turnTimeoutMs: number;
}

/** What every part of the agent works with. */
export interface AgentCore {
  readonly workspaces: Workspaces;
  readonly sessions: SessionStore;
  readonly approvals: ApprovalStore;
  readonly settings: Settings;
  readonly security: SecurityRules;
  /** Masks secrets in all that is shown to a person or told to a model. */
  readonly redact: Redactor["redact"];
  readonly log: Log;
  readonly clock: Clock;
}

/** What plans need, and the changes that they become. */
export interface PlanDeps {
  readonly core: AgentCore;
  readonly operations: Operations;
}

/** The models of a chat. */
export interface ChatModels {
  readonly provider: Provider;
  /** Answers for short work on what was said or read. */
  readonly extractProvider: () => Provider;
  /** Sampling temperature of chat turns. */
  readonly temperature: number;
  /** Where what they say can be cut without opening a secret. */
  readonly findCut: Redactor["findCut"];
}

/** What a turn of the chat needs. */
export interface TurnDeps {
  readonly core: AgentCore;
  /** For what the model proposes. */
  readonly plans: PlanDeps;
  readonly models: ChatModels;
  readonly toolsFor: (
    context: ToolContext,
    signal: AbortSignal,
    tell: (news: McpNews) => void,
  ) => Promise<readonly Tool[]>;
  readonly skillsFor: (workspace: Workspace) => readonly Skill[];
  readonly limits: TurnLimits;
  readonly commit: Commit;
  readonly trace: (workspace: Workspace, record: Trace) => void;
}

/** What slash commands need. */
export interface CommandDeps {
  readonly core: AgentCore;
  readonly plans: PlanDeps;
  readonly memories: MemoryStore;
  /** Sets a key of the configuration. */
  readonly configTool: Tool;
  readonly providers: ProviderList;
  /** What models took today: all of them, or those that worked for `payer`. */
  readonly spent: (payer?: string) => Amount;
  /** Only where a daemon runs. */
  readonly daemon?: DaemonCommands;
}

/** What slash commands and presses ask of the daemon itself. */
export interface DaemonCommands {
  /** Its state, in the language of the configuration. */
  readonly status: () => string;
  readonly routines: RoutinesOfChats;
  /** Whose machine it is, at it or on the phone: nobody else is told where things lie on it. */
  readonly isOwner: (userId: string) => boolean;
  /** Ends a browser's stay in the web console, for its owner; false: it has ended, or never was. */
  readonly endBrowser: (id: string, userId: string) => Promise<boolean | "not yours">;
  /** The console as a page that Telegram opens for who asks, or in their private chat. */
  readonly webApp: (
    speaker: Speaker,
  ) => { readonly url: string; readonly isOwner: boolean } | "in private" | undefined;
}

/** What waited for a yes when a message came in, and what its channel knows of who saw it. */
export interface AskedBefore extends Pick<Origin, "saw"> {
  readonly approvalId: string | undefined;
  readonly planId: string | undefined;
}

/** Routines, and runs of them whose answer is shown to who asked. */
export interface RoutinesOfChats extends RoutineService {
  /**
   * Like `run`; what it shows can be pressed by `owner`, and nobody else. `begin` gets
   * the work id of the run.
   */
  runFor(
    owner: Speaker,
    name: string,
    signal: AbortSignal,
    begin: (workId: string) => void,
  ): Promise<{ readonly run: RoutineRun; readonly events: readonly AgentEvent[] }>;
  /** What it would do: nothing is applied, recorded or kept; what the model took is counted. */
  dry(name: string, signal: AbortSignal): Promise<DryRun>;
}

/** What a routine would do. */
export interface DryRun {
  readonly ok: boolean;
  readonly text: string;
  readonly diff?: string;
  readonly changes?: readonly unknown[];
  readonly tokens: number;
  readonly cost: number;
}

/** The provider in use, and those that the configuration names. */
export interface ProviderList {
  readonly current: Pick<Provider, "name" | "model">;
  readonly configured: readonly { readonly name: string; readonly model: string }[];
}

/** The agent as `daemon/app/create-parts.ts` makes it: each of its features takes its own part. */
export interface Agent {
  readonly core: AgentCore;
  readonly plans: PlanDeps;
  readonly turns: TurnDeps;
  readonly commands: CommandDeps;
  /** Counts what the work for a session asks of models. */
  readonly charge: Budget["charge"];
  /** What it says of itself; answers follow the person's own language. */
  readonly texts: Texts;
}

/** Keeps what one message or press showed, where no turn of the chat keeps it. */
export interface Showing {
  /** To be called with every event as the channel gets it: masked, in order, `done` last. */
  see(event: AgentEvent): Promise<void>;
  /** Keeps the words that began it now: what is done for them takes long. */
  begin(): void;
  /** From here on a turn keeps what is said; `hasWords`: the words that began it, too. */
  inTurn(hasWords: boolean): void;
}

/** The facts of one message or press while it is worked on. */
export interface RequestContext {
  readonly speaker: Speaker;
  /** What is said to them, in the language of the configuration. */
  readonly texts: Texts;
  readonly emit: Emit;
  /** What keeps for people what no turn keeps; a routine or a command shows nothing to come back to. */
  readonly showing?: Showing;
  readonly signal: AbortSignal;
  /** Somebody sees what is asked here and can answer. */
  readonly hasApprover: boolean;
  /** A command with no later turn, which shows progress apart from its answer. */
  readonly isOnlyTurn?: boolean;
  readonly work: RequestWork;
}

/** What a request is about, and what is known of it from before. */
export interface RequestWork {
  /** Its journals, its turn and a redelivery after a crash share it. */
  readonly id: string;
  /** Its channel redelivers it when papa-yu ends before it is answered. */
  readonly isKept: boolean;
  /** It was never begun before: no journal, turn or note has its id, and none is looked for. */
  readonly isFirst?: boolean;
}

/** Work that a press leads to and that has to wait for what runs in the session. */
export type FollowUp = (request: RequestContext, agent: Agent) => Promise<void>;
