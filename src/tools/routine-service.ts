import type { Few } from "../core/few.ts";
import type { RoutineRun } from "../store/routines/routines.ts";

/**
 * The routines of a home, for everything that manages them: commands of a terminal and of a chat,
 * and the tool that models call. What takes a name throws ERR_ROUTINE_UNKNOWN.
 */
export interface RoutineService {
  list(): readonly RoutineView[];
  find(name: string): RoutineView;
  /** The machine's, as it is now. */
  timezone(): string;
  /** A schedule in words, or as cron; throws ERR_ROUTINE_INVALID for one that cannot be used. */
  readSchedule(words: string, timezone: string): Promise<Schedule>;
  /** Checks without storing; throws ERR_ROUTINE_INVALID. */
  check(job: RoutineEntry): Promise<void>;
  /** What one that was added says of itself; throws ERR_ROUTINE_INVALID for one of config.toml. */
  entry(name: string): Promise<RoutineToChange>;
  /** As `check`, of what it would be with these keys. */
  checkChange(name: string, keys: RoutineEntry): Promise<void>;
  /** Gives keys other values, if it is still the one of the mark; throws ERR_ROUTINE_INVALID. */
  change(name: string, keys: RoutineEntry, mark: string): Promise<RoutineView>;
  /** Throws ERR_ROUTINE_INVALID, also for a name that is taken. */
  add(job: RoutineEntry): Promise<RoutineView>;
  /** Throws ERR_ROUTINE_INVALID for one of config.toml. */
  remove(name: string): void;
  turn(name: string, enabled: boolean): void;
  /** Of one, or of all, the newest first; a name may be that of a routine that is gone. */
  logs(name: string | undefined, limit: number): Few<RoutineRun>;
  /** The newest of one that were due before an instant. */
  older(name: string, before: number, limit: number): readonly RoutineRun[];
  /** What it does, and its instants until one, as its schedule has them; at most `most`. */
  ahead(name: string, until: number, most: number): Ahead;
  /** Ends a run of it that is under way; false: none is, or nobody knows of it here. */
  stop(name: string): boolean;
  /**
   * Runs it to its end, whatever its schedule, its switch and `only_if_changed` say; recorded, but
   * neither delivered nor held against the routine. Throws ERR_ROUTINE_INVALID.
   */
  run(name: string, signal: AbortSignal): Promise<RoutineRun>;
}

/** An entry of `routines.jobs`, as somebody wrote it. */
export type RoutineEntry = Readonly<Record<string, unknown>>;

/** A routine that may be changed, and the mark of it as it is. */
export interface RoutineToChange {
  readonly mark: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly mode: string;
  readonly workspace?: string;
  readonly channel: string;
  readonly task: string;
}

/** A schedule that can be kept. */
export interface Schedule {
  /** Cron pattern of 5 or 6 fields. */
  readonly schedule: string;
  /** Its next three instants. */
  readonly next: readonly number[];
}

/** Whether a routine waits for its time, and until when. */
export interface RoutineState {
  readonly state: "waiting" | "running" | "disabled" | "invalid";
  /** Why it is invalid, or was switched off by papa-yu. */
  readonly reason?: string;
  /** At most three instants; none while it is disabled or invalid. */
  readonly next: readonly number[];
}

/** What a routine is for, and what is ahead of it. */
export interface Ahead {
  readonly task: string;
  readonly channel: string;
  /** None while it is disabled or invalid. */
  readonly dues: readonly number[];
  /** There are more until then. */
  readonly isMore: boolean;
}

/** A routine with what there is to say of it. */
export interface RoutineView extends RoutineState {
  readonly name: string;
  readonly source: "config" | "dynamic";
  /** Cron, and the IANA name of its time zone. */
  readonly schedule: string;
  readonly timezone: string;
  readonly mode: "ask" | "plan" | "apply";
  readonly workspace?: string;
  readonly last?: RoutineRun;
}
