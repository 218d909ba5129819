import { type Static, Type } from "typebox";
import { header } from "./schema-parts.ts";

/** Protocol v1: whole files only, and a lenient form; bounds are the static rules' business. */

const Kind = Type.Enum(["CREATE_FILE", "CREATE_DIR", "UPDATE_FILE", "DELETE_FILE", "DELETE_DIR"]);
const Line = Type.Integer({ minimum: 1 });

const Action = Type.Object({
  kind: Kind,
  path: Type.String(),
  content: Type.Optional(Type.String()),
});
const Actions = Type.Array(Action);

const ContextRequest = Type.Object({
  type: Type.Enum(["read_file", "search", "logs", "env"]),
  path: Type.Optional(Type.String()),
  start_line: Type.Optional(Line),
  end_line: Type.Optional(Line),
  query: Type.Optional(Type.String()),
  glob: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  last_n: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
});

const Step = Type.Object({
  step: Type.Union([Type.String(), Type.Integer()]),
  details: Type.Optional(Type.String()),
});
const Texts = Type.Array(Type.String());

const Root = Type.Object({
  mode: Type.Optional(Type.Enum(["fix-plan", "apply"])),
  summary: Type.Optional(Type.String()),
  questions: Type.Optional(Texts),
  context_requests: Type.Optional(Type.Array(ContextRequest)),
  plan: Type.Optional(Type.Array(Step)),
  actions: Type.Optional(Actions),
  proposed_changes: Type.Optional(Type.Object({ actions: Type.Optional(Actions) })),
  memory_patch: Type.Optional(Type.Object({})),
  risks: Type.Optional(Texts),
});

/** The whole answer of a model under protocol v1: an object, or nothing but its actions. */
export const ResponseV1 = Type.Unsafe<Static<typeof Root> | Static<typeof Actions>>({
  ...header(1),
  type: ["object", "array"],
  properties: Root.properties,
  items: Action,
});

/** A valid v1 answer as it came. */
export type AnswerV1 = Static<typeof ResponseV1>;
