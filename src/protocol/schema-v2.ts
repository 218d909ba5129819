import { Type } from "typebox";
import {
  ContextRequests,
  header,
  MemoryPatch,
  PATCH_ACTIONS,
  type PatchAction,
  Summary,
  strict,
  tagged,
  WHOLE_FILE_ACTIONS,
  type WholeFileAction,
} from "./schema-parts.ts";

const Action = tagged<WholeFileAction | PatchAction>("kind", [
  ...WHOLE_FILE_ACTIONS,
  ...PATCH_ACTIONS,
]);

/** The whole answer of a model under protocol v2: existing files change by patches. */
export const ResponseV2 = Type.Object(
  {
    actions: Type.Array(Action, { maxItems: 200 }),
    summary: Type.Optional(Summary),
    context_requests: Type.Optional(ContextRequests),
    memory_patch: Type.Optional(MemoryPatch),
  },
  { ...header(2), ...strict },
);
