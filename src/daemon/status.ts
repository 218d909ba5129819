import packageJson from "../../package.json" with { type: "json" };
import type { AgentCore } from "../agent/deps.ts";
import type { Channel } from "../channels/channel.ts";
import { toLocalTime } from "../core/clock.ts";
import { machineTimezone } from "../routines/machine-timezone.ts";
import type { RoutineStatus, Scheduler } from "../routines/scheduler.ts";
import type { Texts } from "../texts/texts.ts";
import { wordIn } from "../texts/wording.ts";
import {
  describePasses,
  type KnownPasses,
  type RetentionStatus,
  renderPasses,
} from "./retention/retention.ts";
import type { Holder } from "./routines/routines.ts";

/** What `status` shows; the field names are what programs rely on. */
export type DaemonStatus = {
  readonly running: true;
  readonly pid: number;
  readonly version: string;
  readonly uptime_s: number;
  readonly rss_bytes: number;
  readonly channels: Readonly<Record<string, ReturnType<Channel["status"]>>>;
  readonly sessions: number;
  readonly routines: readonly (RoutineStatus & {
    /** Why it does not watch all files that it is to. */
    readonly unwatched?: string;
  })[];
  readonly pending_approvals: number;
  /** What passes over all that grows came to; none before the first. */
  readonly retention?: RetentionStatus;
  /** A daemon of a copy of this home runs its routines, so this one does not. */
  readonly routines_held?: Holder;
  /** The database was deleted or replaced; what is written is lost at the end. */
  readonly state_gone?: true;
};

/** What a status is read from. */
export interface StatusSources {
  readonly core: AgentCore;
  readonly channels: readonly Channel[];
  readonly scheduler: Pick<Scheduler, "status">;
  readonly heldBy: () => Holder | undefined;
  /** Why channels are not there, by name. */
  readonly failures: ReadonlyMap<string, string>;
  /** Why routines do not watch all files that they are to, by their names. */
  readonly unwatched: ReadonlyMap<string, string>;
  readonly passes: () => KnownPasses;
  readonly isStateInPlace: () => boolean;
}

/** The daemon's own word on how it is. */
export function describeStatus({
  core,
  channels,
  scheduler,
  heldBy,
  failures,
  unwatched,
  passes,
  isStateInPlace,
}: StatusSources): DaemonStatus {
  const retention = describePasses(passes());
  const held = heldBy();
  return {
    running: true,
    pid: process.pid,
    version: packageJson.version,
    uptime_s: Math.round(process.uptime()),
    rss_bytes: process.memoryUsage.rss(),
    channels: {
      ...Object.fromEntries(channels.map((channel) => [channel.name, channel.status()])),
      ...Object.fromEntries([...failures].map(([name, reason]) => [name, toFailed(reason)])),
    },
    sessions: core.sessions.count(),
    routines: scheduler.status().map((routine) => toNoticing(routine, unwatched.get(routine.name))),
    pending_approvals: core.approvals.countWaiting(core.clock.now()),
    ...(retention && { retention }),
    ...(held && { routines_held: held }),
    ...(!isStateInPlace() && { state_gone: true }),
  };
}

function toNoticing(
  routine: RoutineStatus,
  unwatched: string | undefined,
): DaemonStatus["routines"][number] {
  return unwatched === undefined ? routine : { ...routine, unwatched };
}

function toFailed(reason: string): ReturnType<Channel["status"]> {
  return { state: "failed", reason };
}

/** False for what a daemon of another version may say, and what none does. */
export function isDaemonStatus(
  status: Readonly<Record<string, unknown>>,
): status is Readonly<Record<string, unknown>> & DaemonStatus {
  const { channels, routines, version, pid, uptime_s, rss_bytes, sessions, pending_approvals } =
    status;
  const counts = [pid, uptime_s, rss_bytes, sessions, pending_approvals];
  return (
    typeof version === "string" &&
    counts.every((count) => typeof count === "number") &&
    isRecord(channels) &&
    Object.values(channels).every(isRecord) &&
    Array.isArray(routines) &&
    routines.every(isRoutineStatus)
  );
}

function isRoutineStatus(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, state, next_at, reason, unwatched } = value;
  const isText = [name, state].every((each) => typeof each === "string");
  const isNext = next_at === null || typeof next_at === "string";
  const isTextOrNone = (each: unknown) => each === undefined || typeof each === "string";
  return isText && isNext && isTextOrNone(reason) && isTextOrNone(unwatched);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The same for people, in a terminal or a chat. A daemon was told its timezone when it began, and the
 * machine may be in another by now.
 */
export function renderStatus(
  status: DaemonStatus,
  texts: Texts["status"],
  timeZone: string = machineTimezone(),
): string {
  const { version, pid, uptime_s, rss_bytes, channels, sessions, pending_approvals } = status;
  const size = texts.size(Math.round(rss_bytes / 1024 / 1024));
  return [
    ...(status.state_gone ? [texts.stateGone] : []),
    texts.runs(version, renderDuration(uptime_s, texts), pid, size),
    ...Object.entries(channels).map(([name, state]) =>
      texts.marks.named(name, renderState(state, texts, timeZone)),
    ),
    ...(status.routines_held ? [texts.routinesHeld(...toShown(status.routines_held))] : []),
    ...status.routines.map((routine) => texts.routine(renderRoutine(routine, texts, timeZone))),
    texts.waiting(sessions, pending_approvals),
    ...renderPasses(status.retention, texts),
  ].join("\n");
}

/** Whoever holds the name may not have said who it is. */
function toShown({ pid, home }: Holder): readonly [home: string, pid: string] {
  return [home ?? "?", String(pid ?? "?")];
}

function renderRoutine(
  { name, state, next_at, reason, unwatched }: DaemonStatus["routines"][number],
  { next: at, words, marks, unwatched: said }: Texts["status"],
  timeZone: string,
): string {
  const known = marks.named(name, wordIn(words, state));
  const timed = next_at === null ? known : marks.and(known, at(toLocalTime(next_at, timeZone)));
  const whole = reason === undefined ? timed : marks.because(timed, reason);
  return unwatched === undefined ? whole : marks.and(whole, said(unwatched));
}

/** `{state: "polling", last_poll_at: …}` as "polling, last poll at …"; what is not known is left out. */
function renderState(
  { state, ...rest }: ReturnType<Channel["status"]>,
  { words, marks }: Texts["status"],
  timeZone: string,
): string {
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  return [
    wordIn(words, String(state)),
    ...known.map(([key, value]) => `${wordIn(words, key)} ${renderValue(value, timeZone)}`),
  ].reduce((line, part) => marks.and(line, part));
}

function renderValue(value: string | number | null, timeZone: string): string {
  return typeof value === "string" ? toLocalTime(value, timeZone) : String(value);
}

function renderDuration(seconds: number, texts: Texts["status"]): string {
  if (seconds < 120) return texts.seconds(seconds);
  if (seconds < 7200) return texts.minutes(Math.floor(seconds / 60));
  if (seconds < 172_800) return texts.hours(Math.floor(seconds / 3600));
  return texts.days(Math.floor(seconds / 86_400));
}
