import { shorten } from "../../core/cut-text.ts";
import type { StoredTrace } from "../stored-trace.ts";
import { createDurations, type Durations, type Latency } from "./latencies.ts";
import { succeeded } from "./tally.ts";

/** How applies ended; each counts once. */
export interface Endings {
  /** The first answer was good. */
  readonly clean: number;
  readonly repaired: number;
  /** A lower version of the protocol gave the answer. */
  readonly fell_back: number;
  /** The answer was good, and nothing of it was kept: a check failed. Only where that is known. */
  readonly checks_failed?: number;
  readonly failed: number;
}

/** What was asked of models, and how long it took, in pieces of work of each mode. */
export interface Work {
  /** Of every trace: plans, corrections and chats, too. */
  readonly trace_count: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null where nothing has a price. */
  readonly cost: number | null;
  readonly latency: Readonly<Record<StoredTrace["mode"], Latency | null>>;
}

/** A day in UTC. */
export interface ReportedDay extends Work {
  readonly day: string;
  readonly apply_count: number;
  readonly endings: Endings;
  /** Applies with a repair, and with a fallback, however they ended. */
  readonly repair_count: number;
  readonly fallback_count: number;
  /** The one that took the most tokens first; `unlisted_count` is of those beyond them, too. */
  readonly models: readonly DailyModel[];
}

/** What was asked of one model on a day. */
export interface DailyModel extends Pick<Work, "tokens" | "cost"> {
  readonly provider: string;
  readonly model: string;
}

/** A model, whatever asked it. */
export interface ReportedModel extends Work {
  readonly provider: string;
  readonly model: string;
}

/** What went on in the time that a report is of. */
export interface Activity {
  /** Days on which something was traced, the oldest first. */
  readonly days: readonly ReportedDay[];
  /** The one that took the most tokens first. */
  readonly models: readonly ReportedModel[];
  /** Traces of other models than those. */
  readonly unlisted_count: number;
  readonly all: Work;
}

/** No report is of more days, and no owner has as many models; files of strangers might. */
const MOST_DAYS = 400;
const MOST_MODELS = 50;
const MOST_NAME_CHARS = 200;

/** Traces added up one by one. */
export interface ActivityTally {
  add(trace: StoredTrace): void;
  sumUp(): Activity;
}

/** Nothing yet; `checksFailed` is the code of those that a check took back, where that is known. */
export function createActivity(checksFailed?: string): ActivityTally {
  const days = new Map<string, DayTally>();
  const models = new Map<string, { readonly of: ModelName; readonly work: WorkTally }>();
  const all = createWork();
  let unlisted = 0;
  return {
    add(trace) {
      all.add(trace);
      const provider = shorten(trace.provider ?? "", MOST_NAME_CHARS);
      const model = shorten(trace.model ?? "", MOST_NAME_CHARS);
      const key = `${provider}\n${model}`;
      const isListed = models.has(key) || models.size < MOST_MODELS;
      if (isListed) {
        const of = { provider, model };
        models.getOrInsertComputed(key, () => ({ of, work: createWork() })).work.add(trace);
      } else unlisted += 1;
      const name = new Date(trace.started_at).toISOString().slice(0, 10);
      if (days.has(name) || days.size < MOST_DAYS) {
        const day = days.getOrInsertComputed(name, () => ({
          work: createWork(),
          applies: {
            count: 0,
            clean: 0,
            repaired: 0,
            fellBack: 0,
            checksFailed: checksFailed === undefined ? undefined : 0,
            failed: 0,
            repairs: 0,
            falls: 0,
          },
          models: new Map(),
        }));
        day.work.add(trace);
        if (isListed) addSpent(day.models, key, { provider, model }, trace);
        if (trace.mode === "apply" && !trace.fix) addEnding(day.applies, trace, checksFailed);
      }
    },
    sumUp: () => ({
      days: [...days]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, tally]) => Object.assign(tally.work.sumUp(), toDay(day, tally))),
      models: Array.from(models.values(), ({ of, work }) =>
        Object.assign(work.sumUp(), of),
      ).toSorted((a, b) => tokensIn(b) - tokensIn(a)),
      unlisted_count: unlisted,
      all: all.sumUp(),
    }),
  };
}

interface DayTally {
  readonly work: WorkTally;
  readonly applies: ApplyTally;
  readonly models: Map<string, DailyModel>;
}

type ModelName = Pick<ReportedModel, "provider" | "model">;

function tokensIn({ tokens }: Pick<Work, "tokens">): number {
  return tokens.input + tokens.output;
}

interface WorkTally {
  add(trace: StoredTrace): void;
  sumUp(): Work;
}

function createWork(): WorkTally {
  const tokens = { input: 0, output: 0 };
  const latency: Readonly<Record<StoredTrace["mode"], Durations>> = {
    plan: createDurations(),
    apply: createDurations(),
    chat: createDurations(),
  };
  let count = 0;
  let cost: number | null = null;
  return {
    add(trace) {
      count += 1;
      tokens.input += trace.tokens?.input ?? 0;
      tokens.output += trace.tokens?.output ?? 0;
      if (trace.cost !== undefined) cost = (cost ?? 0) + trace.cost;
      if (trace.duration_ms !== undefined) latency[trace.mode].add(trace.duration_ms);
    },
    sumUp: () => ({
      trace_count: count,
      tokens: { ...tokens },
      cost,
      latency: {
        plan: latency.plan.sumUp(),
        apply: latency.apply.sumUp(),
        chat: latency.chat.sumUp(),
      },
    }),
  };
}

interface ApplyTally {
  count: number;
  clean: number;
  repaired: number;
  fellBack: number;
  checksFailed: number | undefined;
  failed: number;
  repairs: number;
  falls: number;
}

function addEnding(tally: ApplyTally, trace: StoredTrace, checksFailed: string | undefined): void {
  const isFallback = trace.protocol_fallback_attempted === true;
  const isRepair = trace.protocol_repair_attempt === 1;
  tally.count += 1;
  if (isRepair) tally.repairs += 1;
  if (isFallback) tally.falls += 1;
  if (!succeeded(trace)) tally.failed += 1;
  else if (tally.checksFailed !== undefined && trace.error_code === checksFailed) {
    tally.checksFailed += 1;
  } else if (isFallback) tally.fellBack += 1;
  else if (isRepair) tally.repaired += 1;
  else tally.clean += 1;
}

function addSpent(
  models: DayTally["models"],
  key: string,
  of: ModelName,
  { tokens, cost }: StoredTrace,
): void {
  const none: DailyModel = { ...of, tokens: { input: 0, output: 0 }, cost: null };
  const before = models.get(key) ?? none;
  models.set(key, {
    ...of,
    tokens: {
      input: before.tokens.input + (tokens?.input ?? 0),
      output: before.tokens.output + (tokens?.output ?? 0),
    },
    cost: cost === undefined ? before.cost : (before.cost ?? 0) + cost,
  });
}

function toDay(day: string, { applies, models }: DayTally) {
  const { count, clean, repaired, fellBack, checksFailed, failed, repairs, falls } = applies;
  return {
    day,
    apply_count: count,
    endings: {
      clean,
      repaired,
      fell_back: fellBack,
      ...(checksFailed !== undefined && { checks_failed: checksFailed }),
      failed,
    },
    repair_count: repairs,
    fallback_count: falls,
    models: Array.from(models.values()).toSorted((a, b) => tokensIn(b) - tokensIn(a)),
  };
}
