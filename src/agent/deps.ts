import type { Emit, Speaker } from "../channels/channel.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Operations } from "../planner/operations.ts";
import type { Amount, Budget } from "../providers/budget.ts";
import type { Provider } from "../providers/provider.ts";
import type { InjectionCheck } from "../security/injection.ts";
import type { Autonomy } from "../security/policy.ts";
import type { Redactor } from "../security/redact.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import type { MemoryStore } from "../store/memories/memories.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Settings } from "../store/settings/settings.ts";
import type { Texts } from "../texts/texts.ts";
import type { ToolContext } from "../tools/create.ts";
import type { McpNews } from "../tools/mcp/mcp.ts";
import type { Tool } from "../tools/tool.ts";
import type { Trace } from "../trace/trace.ts";
import type { WorkOutcome } from "../transaction/journal/journal.ts";
import type { Skill } from "../workspace/skills/skills.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RoutineDesk } from "./routine-desk.ts";

/** The granted folders, as the agent needs them. */
export interface Workspaces {
  readonly names: readonly string[];
  /** By name; without one the first. Throws ERR_WORKSPACE_UNKNOWN. */
  get(name?: string): Workspace;
  withTransaction(txId: string): Workspace | undefined;
  /** Where a work began a transaction, and what became of it. */
  withWork(
    workId: string,
  ): { readonly workspace: Workspace; readonly became: WorkOutcome } | undefined;
}

/** What the owner configured in `[security]`, as the agent obeys and shows it. */
export interface SecurityRules {
  readonly autonomy: Autonomy;
  readonly injectionCheck: InjectionCheck;
  readonly allowedCommands: readonly string[];
  /** Hosts that the configuration names. */
  readonly allowedHosts: readonly string[];
}

/** Bounds of one turn. */
export interface TurnLimits {
  /** Rounds with at least one successful call. */
  readonly maxToolIterations: number;
  /** Rounds in a row in which every call failed. */
  readonly maxFailedRounds: number;
  /** Failures of one tool in a row before it is withdrawn. */
  readonly maxFailuresInARow: number;
  readonly turnTimeoutMs: number;
}

/** Everything the agent works with; `daemon/app/app.ts` fills it. */
export interface AgentDeps {
  readonly operations: Operations;
  readonly workspaces: Workspaces;
  readonly sessions: SessionStore;
  readonly approvals: ApprovalStore;
  readonly settings: Settings;
  /** What is stored in `work` is stored together or not at all. */
  readonly atomically: (work: () => void) => void;
  readonly provider: Provider;
  /** Answers for short work on what was said or read. */
  readonly extractProvider: () => Provider;
  /** Counts what the work for a session asks of models. */
  readonly charge: Budget["charge"];
  /** What models took today: all of them, or those that worked for `payer`. */
  readonly spent: (payer?: string) => Amount;
  readonly toolsFor: (
    context: ToolContext,
    signal: AbortSignal,
    tell: (news: McpNews) => void,
  ) => Promise<readonly Tool[]>;
  readonly skillsFor: (workspace: Workspace) => readonly Skill[];
  readonly memories: MemoryStore;
  /** Sets a key of the configuration, for commands that do. */
  readonly configTool: Tool;
  /** The configured ones. */
  readonly providers: readonly { readonly name: string; readonly model: string }[];
  readonly security: SecurityRules;
  readonly limits: TurnLimits;
  readonly approvalTimeoutMs: number;
  /** What it says of itself; answers follow the person's own language. */
  readonly texts: Texts;
  /** Sampling temperature of chat turns. */
  readonly temperature: number;
  readonly trace: (workspace: Workspace, record: Trace) => void;
  /** Masks secrets in all that is shown to a person or told to a model. */
  readonly redact: Redactor["redact"];
  /** Where what is said can be cut without opening a secret. */
  readonly findCut: Redactor["findCut"];
  readonly log: Log;
  readonly clock: Clock;
  /** How the daemon is; only a daemon has this, and routines. */
  readonly describe?: { readonly status: () => string };
  readonly routines?: RoutineDesk;
}

/** One message or press while it is worked on. */
export interface RequestContext {
  readonly deps: AgentDeps;
  readonly speaker: Speaker;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Somebody sees what is asked here and can answer. */
  readonly hasApprover: boolean;
  /** What this is about, by the id that its journals have, its turn, and it again after a crash. */
  readonly workId: string;
  /** Its channel brings it again when papa-yu ends before it is answered. */
  readonly isKept: boolean;
}
