import { machineTimezone } from "./machine-timezone.ts";

/** A stored schedule with the task it starts. */
export interface Routine {
  readonly name: string;
  readonly source: "config" | "dynamic";
  /** Cron pattern of 5 or 6 fields, read in `timezone`. */
  readonly schedule: string;
  /** IANA name. */
  readonly timezone: string;
  /** The timezone is the machine's, as none was written. */
  readonly isLocal?: true;
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
  /** When it was added, changed or switched on or off last; how it went before does not count. */
  readonly countsSince?: number;
  /** For one day, UTC; 0: none. */
  readonly caps: Caps;
  /** A change of workspace files that fit this glob runs it, too. */
  readonly watch?: string;
  /** Reference to the secret of its webhook. */
  readonly triggerSecret?: string;
  /** What its webhook was sent, for this one run: untrusted text. */
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

/** What a key of a stored job is read as where it is missing or of another kind; no name of it is. */
const UNREADABLE: RoutineJob = {
  name: "",
  schedule: "",
  timezone: "",
  workspace: "",
  mode: "ask",
  task: "",
  channel: "none",
  misfire: "skip",
  only_if_changed: false,
  enabled: false,
  max_runs_per_day: 0,
  max_tokens_per_day: 0,
  max_cost_per_day: 0,
  watch: "",
  trigger_secret: "",
};

/**
 * A job as the database holds it, which a repair, another version or a hand may have changed: it is
 * listed whatever is in it, so that it can be removed, and switched off where a key is unreadable.
 */
export function readStoredJob(stored: { readonly name: string; readonly jobJson: string }) {
  const value = parseObject(stored.jobJson);
  const isOfKind = (key: string, fallback: unknown) =>
    typeof value[key] === typeof fallback ||
    (key === "only_if_changed" && typeof value[key] === "string") ||
    (OPTIONAL.has(key) && value[key] === undefined);
  const kept = Object.entries(UNREADABLE).filter(([key, fallback]) => isOfKind(key, fallback));
  const isWhole = kept.length === Object.keys(UNREADABLE).length;
  const read = Object.fromEntries(kept.map(([key]) => [key, value[key]]));
  const job: RoutineJob = { ...UNREADABLE, ...read, name: stored.name };
  return isWhole ? job : { ...job, enabled: false };
}

const OPTIONAL: ReadonlySet<string> = new Set(["timezone", "workspace"]);

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    return { ...Object(JSON.parse(json)) };
  } catch {
    return {};
  }
}

/** A job as a routine; without a timezone it gets the machine's, which may be another the next time. */
export function toRoutine(job: RoutineJob, source: Routine["source"]): Routine {
  return {
    name: job.name,
    source,
    schedule: job.schedule,
    timezone: job.timezone || machineTimezone(),
    ...(!job.timezone && { isLocal: true }),
    ...(job.workspace && { workspace: job.workspace }),
    mode: job.mode,
    task: job.task,
    channel: job.channel,
    misfire: job.misfire,
    onlyIfChanged: withPlainGlob(job.only_if_changed),
    enabled: job.enabled,
    caps: {
      runs: job.max_runs_per_day,
      tokens: job.max_tokens_per_day,
      cost: job.max_cost_per_day,
    },
    ...(job.watch && { watch: toPlainGlob(job.watch) }),
    ...(job.trigger_secret && { triggerSecret: job.trigger_secret }),
  };
}

function withPlainGlob(only: boolean | string): boolean | string {
  return typeof only === "string" && only.startsWith(GLOB)
    ? GLOB + toPlainGlob(only.slice(GLOB.length))
    : only;
}

/** Files of a workspace have paths without the "./" that people write in front of them. */
function toPlainGlob(glob: string): string {
  return glob.replace(/^(?:\.\/+)+(?=.)/, "");
}

/** The glob of `only_if_changed`, where that has one. */
export function globOf({
  onlyIfChanged: only,
}: Pick<Routine, "onlyIfChanged">): string | undefined {
  return typeof only === "string" && only.startsWith(GLOB) ? only.slice(GLOB.length) : undefined;
}

const GLOB = "glob:";
