import { type Static, Type } from "typebox";
import { Amounts, ContextFiles, Count, PROTOCOL_FIELDS, Texts, Word } from "./trace-schema.ts";

/**
 * A golden as TypeBox. `bun run schemas` writes `schemas/golden_schema.json` from it, which is
 * what runs: at run time nothing imports this module but for its types.
 */

const strict = { additionalProperties: false };

export const GoldenSchema = Type.Object(
  {
    protocol: Type.Object(PROTOCOL_FIELDS, strict),
    request: Type.Object(
      {
        mode: Type.Enum(["plan", "apply"]),
        provider: Type.String(),
        model: Type.String(),
        strict_json: Type.Boolean(),
        token_budget: Count,
        input_chars: Count,
      },
      strict,
    ),
    context: Type.Object(
      { context_stats: Amounts, cache_stats: Amounts, files: ContextFiles },
      strict,
    ),
    rules: Type.Object(
      {
        max_actions: Type.Integer({ minimum: 1 }),
        normalize_eol: Type.Enum(["keep", "lf"]),
        protected_paths: Texts,
      },
      strict,
    ),
    result: Type.Object(
      {
        validated_json: Type.Object({}),
        validation_outcome: Type.Enum(["ok", "error"]),
        error_code: Type.Union([Word, Type.Null()]),
      },
      strict,
    ),
    tree: Type.String({
      description: "The files that the answer names, in the folder next to this file",
      pattern: "^(kept|missing: .+)$",
    }),
  },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu golden",
    ...strict,
  },
);

/** An answer that was checked once, and all that is needed to check it again. */
export type Golden = Static<typeof GoldenSchema>;
