import { type Static, Type } from "typebox";
import {
  ContextRequests,
  header,
  MemoryPatch,
  PATCH_ACTIONS,
  type PatchAction,
  Path,
  Sha256,
  Summary,
  strict,
  tagged,
  WHOLE_FILE_ACTIONS,
  type WholeFileAction,
} from "./schema-parts.ts";

const Edit = Type.Object(
  {
    op: Type.Literal("replace"),
    anchor: Type.String({ minLength: 1, maxLength: 256 }),
    before: Type.String({ minLength: 1, maxLength: 50_000 }),
    after: Type.String({ maxLength: 50_000 }),
    occurrence: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    context_lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  },
  strict,
);

const EditFile = Type.Object(
  {
    kind: Type.Literal("EDIT_FILE"),
    path: Path,
    base_sha256: Sha256,
    edits: Type.Array(Edit, { minItems: 1, maxItems: 50 }),
  },
  strict,
);

const ActionV3 = tagged<WholeFileAction | PatchAction | Static<typeof EditFile>>("kind", [
  ...WHOLE_FILE_ACTIONS,
  ...PATCH_ACTIONS,
  EditFile,
]);
const Actions = Type.Array(ActionV3, { maxItems: 200 });

const Root = Type.Object({
  actions: Actions,
  summary: Type.Optional(Summary),
  context_requests: Type.Optional(ContextRequests),
  memory_patch: Type.Optional(MemoryPatch),
});

/**
 * The whole answer of a model under protocol v3: v2 and anchored edits; an object, or nothing
 * but its actions.
 */
export const ResponseV3 = Type.Unsafe<Static<typeof Root> | Static<typeof Actions>>({
  ...header(3),
  type: ["object", "array"],
  required: ["actions"],
  properties: Root.properties,
  ...strict,
  items: ActionV3,
  maxItems: 200,
});

/** A valid v3 answer as it came. */
export type AnswerV3 = Static<typeof ResponseV3>;
