/** A stored schedule with the task it starts. */
export interface Routine {
  readonly name: string;
  readonly source: "config" | "dynamic";
  /** Cron pattern of 5 or 6 fields, read in `timezone`. */
  readonly schedule: string;
  /** IANA name. */
  readonly timezone: string;
  readonly workspace?: string;
  readonly mode: "ask" | "plan" | "apply";
  readonly task: string;
  readonly channel: "telegram" | "terminal" | "none";
  /** What happens to due instants that passed while nothing ran. */
  readonly misfire: "skip" | "once" | "all";
  /**
   * Leaves a run out while the workspace is as the last good run left it; "glob:PATTERN" looks at
   * these files of it, "url:ADDRESS" at an answer from the web.
   */
  readonly onlyIfChanged: boolean | string;
  readonly enabled: boolean;
  /** Why papa-yu itself switched it off. */
  readonly offReason?: string;
  /** When it was last switched on or off; failures before do not count any more. */
  readonly switchedAt?: number;
  /** For one day, UTC; 0: none. */
  readonly caps: Caps;
  /** A change of workspace files that fit this glob runs it, too. */
  readonly watch?: string;
  /** Reference to the secret of its webhook. */
  readonly triggerSecret?: string;
  /** What its webhook was sent, for this one run: text from a stranger. */
  readonly input?: string;
}

/** What a routine may use up in a day. */
export interface Caps {
  readonly runs: number;
  readonly tokens: number;
  readonly cost: number;
}

/** One `[[routines.jobs]]` of config.toml. */
export interface RoutineJob {
  readonly name: string;
  readonly schedule: string;
  readonly timezone?: string | undefined;
  readonly workspace?: string | undefined;
  readonly mode: Routine["mode"];
  readonly task: string;
  readonly channel: Routine["channel"];
  readonly misfire: Routine["misfire"];
  readonly only_if_changed: boolean | string;
  readonly enabled: boolean;
  readonly max_runs_per_day: number;
  readonly max_tokens_per_day: number;
  readonly max_cost_per_day: number;
  readonly watch: string;
  readonly trigger_secret: string;
}

/** A job as a routine; without a timezone it gets the machine's. */
export function toRoutine(job: RoutineJob, source: Routine["source"]): Routine {
  return {
    name: job.name,
    source,
    schedule: job.schedule,
    timezone: job.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(job.workspace && { workspace: job.workspace }),
    mode: job.mode,
    task: job.task,
    channel: job.channel,
    misfire: job.misfire,
    onlyIfChanged: job.only_if_changed,
    enabled: job.enabled,
    caps: {
      runs: job.max_runs_per_day,
      tokens: job.max_tokens_per_day,
      cost: job.max_cost_per_day,
    },
    ...(job.watch && { watch: job.watch }),
    ...(job.trigger_secret && { triggerSecret: job.trigger_secret }),
  };
}
