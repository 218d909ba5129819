/** The state of a run; `due` is claimed and waits for its turn. */
export type RunState = "due" | "running" | "ok" | "failed" | "skipped" | "missed" | "unknown";

/** What made a run due. */
export type RunCause = "schedule" | "manual" | "webhook" | "files";

/** The state of a run's message, apart from how the run itself went. */
export type RunDelivery =
  | "none"
  | "pending"
  | "queued"
  | "delivered"
  | "nobody"
  | "failed"
  | "unknown";

/** One due instant of one routine and what became of it. */
export interface RoutineRun {
  readonly routine: string;
  readonly dueAt: number;
  readonly cause: RunCause;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly state: RunState;
  readonly delivery: RunDelivery;
  readonly output: string;
  readonly error: string | null;
}

/** How a run ended. */
export interface RunEnd {
  readonly state: Exclude<RunState, "due" | "running">;
  readonly delivery: RunDelivery;
  readonly output: string;
  readonly error?: string;
}

/** What {@link RoutineRuns.claim} is asked for. */
export interface Claim {
  readonly routine: string;
  readonly dues: readonly number[];
  readonly cause: RunCause;
  readonly now: number;
  readonly leaseUntil: number;
  /** What a webhook was sent, kept until the run ends. */
  readonly input?: string;
}
