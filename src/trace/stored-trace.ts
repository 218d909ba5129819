import type { TraceFile } from "./trace-files.ts";

/**
 * What lists and reports use of a trace, read back and checked. Fields that an older or a foreign
 * trace lacks are absent; all others are left out.
 */
export interface StoredTrace {
  /** That of its line, or the name of its file without the ending. */
  readonly trace_id: string;
  readonly event: string;
  readonly mode: "plan" | "apply" | "chat";
  /** ISO 8601. */
  readonly started_at: string;
  readonly duration_ms?: number;
  readonly provider?: string;
  readonly model?: string;
  readonly actions_count?: number;
  readonly error_code?: string;
  readonly protocol_attempts?: readonly string[];
  readonly protocol_repair_attempt?: 0 | 1;
  readonly repair_code?: string;
  readonly protocol_fallback_attempted?: boolean;
  readonly protocol_fallback_reason?: string;
  readonly repair_injected_sha256?: boolean;
  readonly repair_injected_paths?: readonly string[];
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly cost?: number;
  /** Of a correction: it is asked for what an apply came to, and is none itself. */
  readonly fix?: object;
}

/**
 * Takes a parsed file for a trace; one that does not say when it began began when it was written.
 *
 * @throws Error that names the first field at fault
 */
export function parseTrace(traceId: string, { value, writtenAt }: TraceFile): StoredTrace {
  if (typeof value !== "object" || value === null) throw new Error("it holds no object");
  const found: Record<string, unknown> = { started_at: new Date(writtenAt).toISOString() };
  for (const field of Object.keys(FIELDS)) {
    const given: unknown = Reflect.get(value, field);
    if (given !== undefined && given !== null) found[field] = given;
  }
  found["trace_id"] = traceId;
  assertFields(found);
  return found;
}

function assertFields(found: object): asserts found is StoredTrace {
  for (const [field, isValid] of Object.entries(FIELDS)) {
    const given: unknown = Reflect.get(found, field);
    if (!isValid(given)) throw new Error(`its "${field}" is not what a trace has there`);
  }
}

type Check = (value: unknown) => boolean;

const FIELDS: Readonly<Record<keyof StoredTrace, Check>> = {
  trace_id: isText,
  event: isWord,
  mode: (value) => value === "plan" || value === "apply" || value === "chat",
  started_at: isInstant,
  duration_ms: optional(isAmount),
  provider: optional(isText),
  model: optional(isText),
  actions_count: optional(isAmount),
  error_code: optional(isWord),
  protocol_attempts: optional(isListOf(isWord)),
  protocol_repair_attempt: optional((value) => value === 0 || value === 1),
  repair_code: optional(isWord),
  protocol_fallback_attempted: optional(isFlag),
  protocol_fallback_reason: optional(isWord),
  repair_injected_sha256: optional(isFlag),
  repair_injected_paths: optional(isListOf(isText)),
  tokens: optional(isTokens),
  cost: optional(isAmount),
  fix: optional((value) => typeof value === "object"),
};

function optional(isValid: Check): Check {
  return (value) => value === undefined || isValid(value);
}

function isListOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

/** Codes and events: shown as they are, so nothing else may hide in them. */
function isWord(value: unknown): boolean {
  return typeof value === "string" && /^\w{1,64}$/.test(value);
}

function isInstant(value: unknown): boolean {
  return (
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
  );
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isTokens(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "input" in value && isAmount(value.input) && "output" in value && isAmount(value.output);
}
