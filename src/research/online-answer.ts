import { type Static, Type } from "typebox";

/**
 * The summary of research as TypeBox. `bun run schemas` writes `schemas/online_answer_schema.json`
 * from it, which is what runs: at run time nothing imports this module but for its types.
 */
export const OnlineAnswerSchema = Type.Object(
  {
    answer_md: Type.String({ minLength: 1, maxLength: 32_000 }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    sources: Type.Array(
      Type.Object({
        url: Type.String({ minLength: 1, maxLength: 2048 }),
        title: Type.String({ maxLength: 500 }),
      }),
      { maxItems: 10 },
    ),
    notes: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu summary of online research",
    additionalProperties: false,
  },
);

/** A summary that follows the schema; nothing of it is believed by that. */
export type OnlineAnswer = Static<typeof OnlineAnswerSchema>;
