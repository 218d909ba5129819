import { type TSchema, Type } from "typebox";
import type { ChatTrace, CorrectionTrace, PlannerTrace, TracedCall } from "./trace.ts";

/**
 * A trace as it is in its line, as TypeBox. `bun run schemas` writes `schemas/trace_schema.json`
 * from it, for people and for tests: nothing at run time reads a trace back to decide anything.
 */

/** A code or an event; also those of other versions. */
export const Word = Type.String({ pattern: "^\\w{1,64}$" });
export const Sha256 = Type.String({ pattern: "^[a-f0-9]{64}$" });
export const Version = Type.Enum([1, 2, 3]);
export const Amount = Type.Number({ minimum: 0 });
export const Count = Type.Integer({ minimum: 0 });
export const Amounts = Type.Record(Type.String(), Amount);
export const Texts = Type.Array(Type.String());

/** The fields about versions, repair and fallback, which a golden has too. */
export const PROTOCOL_FIELDS = {
  schema_version: Version,
  schema_hash: Sha256,
  protocol_default: Version,
  protocol_attempts: Type.Array(Type.Enum(["v1", "v2", "v3"]), { minItems: 1 }),
  protocol_repair_attempt: Type.Enum([0, 1]),
  repair_code: Type.Optional(Word),
  protocol_fallback_attempted: Type.Boolean(),
  protocol_fallback_reason: Type.Optional(Word),
  protocol_fallback_stage: Type.Optional(Type.Enum(["schema", "validate", "preview", "apply"])),
  repair_injected_sha256: Type.Optional(Type.Boolean()),
  repair_injected_paths: Type.Optional(Texts),
};

/** Files that a plan was shown. */
export const ContextFiles = Type.Array(
  Type.Object(
    { path: Type.String(), sha256: Sha256, whole: Type.Boolean() },
    { additionalProperties: false },
  ),
);

const Tokens = Type.Object({ input: Count, output: Count }, { additionalProperties: false });

/** What every trace has; of the last two the recorder writes one. */
const BASE_FIELDS = {
  trace_id: Type.String({ pattern: "^[\\w-]{1,128}$" }),
  event: Word,
  started_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" }),
  duration_ms: Type.Number(),
  model: Type.String(),
  provider: Type.String(),
  error: Type.Optional(Type.String()),
  error_code: Type.Optional(Word),
  tokens: Tokens,
  cost: Type.Optional(Amount),
  raw_content: Type.Optional(Type.String()),
  raw_preview: Type.Optional(Type.String({ maxLength: 200 })),
};

const Fix = Type.Object(
  {
    round: Count,
    most_rounds: Count,
    requests: Count,
    most_requests: Count,
    failed_check: Type.String(),
    failed_change_set_id: Sha256,
    change_set_id: Type.Optional(Sha256),
    not_taken: Type.Optional(Word),
  } satisfies Readonly<Record<keyof CorrectionTrace, TSchema>>,
  { additionalProperties: false },
);

const Call = Type.Object(
  {
    kind: Type.Enum(["ask", "repair", "fallback"]),
    version: Type.Enum(["v1", "v2", "v3"]),
    at_ms: Amount,
    duration_ms: Amount,
    input_chars: Count,
    output_chars: Count,
    tokens: Tokens,
    cost: Type.Optional(Amount),
    error_code: Type.Optional(Word),
  } satisfies Readonly<Record<keyof TracedCall, TSchema>>,
  { additionalProperties: false },
);

const PLANNER_FIELDS = {
  ...BASE_FIELDS,
  ...PROTOCOL_FIELDS,
  mode: Type.Enum(["plan", "apply"]),
  config_snapshot: Type.Record(Type.String(), Type.Unknown()),
  context_stats: Amounts,
  context_files: Type.Optional(ContextFiles),
  cache_stats: Amounts,
  strict_json: Type.Boolean(),
  token_budget: Count,
  input_chars: Count,
  calls: Type.Optional(Type.Array(Call)),
  validated_json: Type.Optional(Type.Object({})),
  actions_count: Count,
  fix: Type.Optional(Fix),
  online_context_injected: Type.Optional(Type.Boolean()),
  online_context_chars: Type.Optional(Count),
  online_context_sources_count: Type.Optional(Count),
  online_context_truncated: Type.Optional(Type.Boolean()),
  online_context_dropped: Type.Optional(Type.Boolean()),
  online_sources: Type.Optional(Texts),
  online_fallback_attempted: Type.Optional(Type.Boolean()),
  online_fallback_executed: Type.Optional(Type.Boolean()),
  online_fallback_reason: Type.Optional(Word),
} satisfies Fields<PlannerTrace>;

const CHAT_FIELDS = {
  ...BASE_FIELDS,
  mode: Type.Literal("chat"),
  model_calls: Count,
  tool_calls: Type.Array(
    Type.Object({ name: Type.String(), ok: Type.Boolean() }, { additionalProperties: false }),
  ),
} satisfies Fields<ChatTrace>;

/** Every field of a trace and no other, so that a new one is not forgotten here. */
type Fields<T> = Readonly<Record<keyof T | "raw_preview", TSchema>>;

/** One line of a segment in `.papa-yu/traces/`: of a plan or an apply, or of a turn of a chat. */
export const TraceSchema = Type.Union(
  [
    Type.Object(PLANNER_FIELDS, { additionalProperties: false }),
    Type.Object(CHAT_FIELDS, { additionalProperties: false }),
  ],
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu trace",
  },
);
