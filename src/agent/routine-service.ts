import type { AgentEvent, Speaker } from "../channels/channel.ts";
import type { RunState } from "../store/routines/routines.ts";

/** The routines of a daemon, as a chat looks after them. */
export interface RoutineService {
  list(): readonly RoutineView[];
  /** Throws ERR_ROUTINE_UNKNOWN, like all that takes a name. */
  find(name: string): RoutineView;
  turn(name: string, enabled: boolean): void;
  /** The newest first. */
  logs(name: string, limit: number): readonly RunView[];
  /** Runs it to its end, whatever its schedule and its switch say; what it shows is `speaker`'s. */
  run(
    name: string,
    speaker: Speaker,
    signal: AbortSignal,
  ): Promise<{ readonly done: RunView; readonly events: readonly AgentEvent[] }>;
}

/** A routine as it stands. */
export interface RoutineView {
  readonly name: string;
  /** Cron, and where its clock hangs. */
  readonly schedule: string;
  readonly timezone: string;
  readonly state: "waiting" | "running" | "disabled" | "invalid";
  /** Why it is invalid, or was switched off by papa-yu. */
  readonly reason?: string;
  /** As the clock there shows it. */
  readonly next?: string;
  readonly last?: RunView;
}

/** One run of a routine. */
export interface RunView {
  readonly at: string;
  readonly state: RunState;
  /** Undefined while it runs. */
  readonly endedAt?: number;
  /** What came of it, or why nothing did. */
  readonly text: string;
}
