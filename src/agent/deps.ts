import type { Clock } from "../core/clock.ts";
import type { Operations } from "../planner/operations.ts";
import type { Provider } from "../providers/provider.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Settings } from "../store/settings.ts";
import type { Tool } from "../tools/tool.ts";
import type { Trace } from "../trace/trace.ts";
import type { HistoryEntry } from "../transaction/history.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { TurnLimits } from "./turn.ts";

/** The granted folders, as the agent needs them. */
export interface Workspaces {
  readonly names: readonly string[];
  /** By name; without one the first. Throws ERR_WORKSPACE_UNKNOWN. */
  get(name?: string): Workspace;
  history(workspace: Workspace): readonly HistoryEntry[];
  /** The transaction that undo would take back. */
  newestTransaction(workspace: Workspace): string | undefined;
  withTransaction(txId: string): Workspace | undefined;
}

/** Everything the agent works with; `daemon.ts` fills it. */
export interface AgentDeps {
  readonly operations: Operations;
  readonly workspaces: Workspaces;
  readonly sessions: SessionStore;
  readonly approvals: ApprovalStore;
  readonly settings: Settings;
  readonly provider: Provider;
  /** The tools of one turn: bound to its workspace, its speaker and its events. */
  readonly toolsFor: (context: ToolContext) => readonly Tool[];
  readonly limits: TurnLimits;
  readonly approvalTimeoutMs: number;
  /** Sampling temperature of chat turns. */
  readonly temperature: number;
  readonly trace: (workspace: Workspace, record: Trace) => void;
  readonly clock: Clock;
  /** One text each for /status and /routines; only a daemon has them. */
  readonly describe?: { readonly status: () => string; readonly routines: () => string };
}

/** What tools of a turn are bound to. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** Shows a change set for approval; answers what the model should be told. */
  readonly propose: (goal: string, signal: AbortSignal) => Promise<string>;
}
