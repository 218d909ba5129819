import { json } from "../../client/client.ts";

/** A trace in the list. */
export interface TraceRow {
  readonly trace_id: string;
  readonly workspace: string;
  readonly event: string;
  readonly mode: string;
  /** Undefined: it does not say. */
  readonly at: number | undefined;
  readonly duration_ms: number | undefined;
  readonly provider: string;
  readonly model: string;
  readonly error_code: string | undefined;
  readonly attempts: readonly string[];
  readonly isRepaired: boolean;
  readonly isFallback: boolean;
  readonly isFix: boolean;
  readonly tokens: Tokens;
  readonly cost: number | undefined;
}

/** What was sent, and what came. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** A page of traces. */
export interface TraceList {
  readonly traces: readonly TraceRow[];
  readonly older: string | undefined;
  readonly looked: number;
  readonly skipped: number;
}

/** One request to a model. */
export interface TracedCall {
  readonly kind: string;
  readonly version: string;
  readonly at_ms: number;
  readonly duration_ms: number;
  readonly input_chars: number;
  readonly output_chars: number;
  readonly tokens: Tokens;
  readonly cost: number | undefined;
  readonly error_code: string | undefined;
}

/** One trace, with what is known beside it. */
export interface OneTrace extends TraceRow {
  /** Why it is no trace, where it is none. */
  readonly problem: string | undefined;
  readonly error: string | undefined;
  readonly repair_code: string | undefined;
  readonly fallback_reason: string | undefined;
  readonly calls: readonly TracedCall[];
  readonly stats: Readonly<Record<string, number>>;
  readonly files: readonly { readonly path: string; readonly whole: boolean }[];
  readonly tools: readonly { readonly name: string; readonly ok: boolean }[];
  readonly goal: string | undefined;
  readonly plan_trace_id: string | undefined;
  readonly actions_trace_id: string | undefined;
  readonly checks: readonly {
    readonly command: string;
    readonly ok: boolean;
    readonly took_ms: number | undefined;
  }[];
  readonly change:
    | {
        readonly tx_id: string;
        readonly status: string;
        readonly at: number;
        readonly channel: string;
        readonly session: string | undefined;
      }
    | undefined;
  readonly whole: unknown;
}

const { fields, list, text, number, time, maybe } = json;

/** Reads what `GET /api/traces` gives. */
export function readTraceList(value: unknown): TraceList {
  const it = fields(value);
  return {
    traces: list(it["traces"]).map((each) => readRow(each, text(fields(each)["workspace"]))),
    older: maybe(it["older"], text),
    looked: number(it["looked"]),
    skipped: number(it["skipped_count"]),
  };
}

/** Reads the names of what `GET /api/workspaces` gives. */
export function readWorkspaceNames(value: unknown): readonly string[] {
  return list(fields(value)["workspaces"]).map((each) => text(fields(each)["name"]));
}

function readRow(value: unknown, workspace: string): TraceRow {
  const it = fields(value);
  return {
    trace_id: text(it["trace_id"]),
    workspace,
    event: text(it["event"]),
    mode: text(it["mode"]),
    at: time(it["started_at"]),
    duration_ms: maybe(it["duration_ms"], number),
    provider: text(it["provider"]),
    model: text(it["model"]),
    error_code: maybe(it["error_code"], text),
    attempts: list(it["protocol_attempts"]).map(text),
    isRepaired: it["protocol_repair_attempt"] === 1,
    isFallback: it["protocol_fallback_attempted"] === true,
    isFix: it["fix"] !== undefined && it["fix"] !== null,
    tokens: readTokens(it["tokens"]),
    cost: maybe(it["cost"], number),
  };
}

/** Reads what was sent and what came. */
export function readTokens(value: unknown): Tokens {
  const { input, output } = fields(value);
  return { input: number(input), output: number(output) };
}

/** Reads what `GET /api/traces/ID` gives. */
export function readOneTrace(value: unknown): OneTrace {
  const it = fields(value);
  const whole = it["trace"];
  const trace = fields(whole);
  return {
    ...readRow(whole, text(it["workspace"])),
    // A good answer may have come to nothing by its checks.
    error_code: maybe(trace["error_code"] ?? it["error_code"], text),
    error: maybe(trace["error"], text),
    repair_code: maybe(trace["repair_code"], text),
    fallback_reason: maybe(trace["protocol_fallback_reason"], text),
    calls: list(trace["calls"]).map(readCall),
    stats: Object.fromEntries(
      Object.entries(fields(trace["context_stats"])).map(([name, each]) => [name, number(each)]),
    ),
    files: list(trace["context_files"]).map((each) => {
      const { path, whole: isWhole } = fields(each);
      return { path: text(path), whole: isWhole === true };
    }),
    tools: list(trace["tool_calls"]).map((each) => {
      const { name, ok } = fields(each);
      return { name: text(name), ok: ok === true };
    }),
    problem: maybe(it["problem"], text),
    goal: maybe(it["goal"], text),
    plan_trace_id: maybe(it["plan_trace_id"], text),
    actions_trace_id: maybe(it["actions_trace_id"], text),
    checks: list(fields(it["check"])["stages"]).map((each) => {
      const { command, ok, duration_ms: took } = fields(each);
      const words = list(command).map(text).join(" ");
      return { command: words, ok: ok === true, took_ms: maybe(took, number) };
    }),
    change: maybe(it["transaction"], (change) => {
      const { tx_id: txId, status: ended, at, asked, taken_back: isBack } = fields(change);
      const status = isBack === true && ended === "committed" ? "undone" : ended;
      const { channel, session_id: session } = fields(asked);
      return {
        tx_id: text(txId),
        status: text(status),
        at: time(at) ?? 0,
        channel: text(channel),
        session: maybe(session, text),
      };
    }),
    whole,
  };
}

function readCall(value: unknown): TracedCall {
  const it = fields(value);
  return {
    kind: text(it["kind"]),
    version: text(it["version"]),
    at_ms: Math.max(0, number(it["at_ms"])),
    duration_ms: Math.max(0, number(it["duration_ms"])),
    input_chars: number(it["input_chars"]),
    output_chars: number(it["output_chars"]),
    tokens: readTokens(it["tokens"]),
    cost: maybe(it["cost"], number),
    error_code: maybe(it["error_code"], text),
  };
}
