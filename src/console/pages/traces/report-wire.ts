import { json } from "../../client/client.ts";
import { readTokens, type Tokens } from "./wire.ts";

/** How long things took. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** What was asked of models. */
export interface Work {
  readonly traces: number;
  readonly tokens: Tokens;
  readonly cost: number | undefined;
  readonly latency: Readonly<Record<"plan" | "apply" | "chat", Latency | undefined>>;
}

/** A day of the report. */
export interface ReportDay extends Work {
  readonly day: string;
  readonly applies: number;
  readonly endings: readonly [
    clean: number,
    repaired: number,
    fellBack: number,
    checksFailed: number,
    failed: number,
  ];
  readonly repairs: number;
  readonly fallbacks: number;
  readonly models: readonly (Pick<Work, "tokens" | "cost"> & ModelName)[];
}

interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** The report as the page shows it. */
export interface Report {
  readonly since: string;
  readonly count: number;
  readonly keptDays: number;
  readonly applies: number;
  readonly failed: number;
  readonly fallbackRate: number;
  readonly repairRate: number;
  readonly isReady: boolean;
  readonly ofApplies: number;
  readonly rules: readonly {
    readonly id: string;
    readonly counts: readonly number[];
    readonly rule: string;
    readonly ok: boolean;
    readonly found: string;
  }[];
  readonly days: readonly ReportDay[];
  readonly models: readonly (Work & ModelName)[];
  /** Traces of more models than are told apart. */
  readonly unlisted: number;
  readonly all: Work;
  readonly spent: readonly {
    readonly day: string;
    readonly routine: string | undefined;
    readonly tokens: number;
    readonly cost: number;
  }[];
  readonly skipped: number;
}
const { fields, list, text, number, maybe } = json;

/** Reads what `GET /api/report` gives. */
export function readReport(value: unknown): Report {
  const it = fields(value);
  const graduation = fields(it["graduation"]);
  const activity = fields(it["activity"]);
  return {
    since: text(it["since"]),
    count: number(it["days"]),
    keptDays: number(it["kept_days"]),
    applies: number(it["apply_count"]),
    failed: number(it["failed_count"]),
    fallbackRate: number(it["fallback_rate"]),
    repairRate: number(it["repair_attempt_rate"]),
    isReady: graduation["ready"] === true,
    ofApplies: number(graduation["apply_count"]),
    rules: list(graduation["rules"]).map((each) => {
      const { id, rule, ok, found, counts } = fields(each);
      return {
        id: text(id),
        counts: list(counts).map(number),
        rule: text(rule),
        ok: ok === true,
        found: text(found),
      };
    }),
    days: list(activity["days"]).map(readDay),
    models: list(activity["models"]).map((each) => {
      return Object.assign(readWork(each), readName(each));
    }),
    unlisted: number(activity["unlisted_count"]),
    all: readWork(activity["all"]),
    spent: list(it["spent"]).map((each) => {
      const { day, routine, tokens, cost } = fields(each);
      return {
        day: text(day),
        routine: maybe(routine, text),
        tokens: number(tokens),
        cost: number(cost),
      };
    }),
    skipped: number(it["skipped_count"]),
  };
}

function readDay(value: unknown): ReportDay {
  const it = fields(value);
  const endings = fields(it["endings"]);
  const { clean, repaired, fell_back: fellBack, checks_failed: checks, failed } = endings;
  return {
    ...readWork(value),
    day: text(it["day"]),
    applies: number(it["apply_count"]),
    endings: [number(clean), number(repaired), number(fellBack), number(checks), number(failed)],
    repairs: number(it["repair_count"]),
    fallbacks: number(it["fallback_count"]),
    models: list(it["models"]).map((each) => {
      const { tokens, cost } = fields(each);
      return Object.assign(readName(each), {
        tokens: readTokens(tokens),
        cost: maybe(cost, number),
      });
    }),
  };
}

function readName(value: unknown): ModelName {
  const { provider, model } = fields(value);
  return { provider: text(provider), model: text(model) };
}

function readWork(value: unknown): Work {
  const it = fields(value);
  const { plan, apply, chat } = fields(it["latency"]);
  return {
    traces: number(it["trace_count"]),
    tokens: readTokens(it["tokens"]),
    cost: maybe(it["cost"], number),
    latency: {
      plan: maybe(plan, readLatency),
      apply: maybe(apply, readLatency),
      chat: maybe(chat, readLatency),
    },
  };
}

function readLatency(value: unknown): Latency {
  const it = fields(value);
  return {
    count: number(it["count"]),
    p50: number(it["p50_ms"]),
    p90: number(it["p90_ms"]),
    p99: number(it["p99_ms"]),
  };
}
