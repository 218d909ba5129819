import { type Static, Type } from "typebox";

/**
 * Protocol v2 as TypeBox: the types below, and by `bun run schemas` the file
 * `schemas/llm_response_schema_v2.json`, which is what runs. At run time nothing imports
 * this module but for its types, so TypeBox costs no start-up time.
 */

const Path = Type.String({ minLength: 1, maxLength: 240 });
const Content = Type.String({ maxLength: 1_200_000 });
const Sha256 = Type.String({ pattern: "^[a-f0-9]{64}$" });
const Line = Type.Integer({ minimum: 1 });
const strict = { additionalProperties: false };

const CreateFile = Type.Object(
  { kind: Type.Literal("CREATE_FILE"), path: Path, content: Content },
  strict,
);
const UpdateFile = Type.Object(
  { kind: Type.Literal("UPDATE_FILE"), path: Path, content: Content },
  strict,
);
const CreateDir = Type.Object({ kind: Type.Literal("CREATE_DIR"), path: Path }, strict);
const DeleteFile = Type.Object({ kind: Type.Literal("DELETE_FILE"), path: Path }, strict);
const DeleteDir = Type.Object({ kind: Type.Literal("DELETE_DIR"), path: Path }, strict);
const PatchFile = Type.Object(
  { kind: Type.Literal("PATCH_FILE"), path: Path, patch: Content, base_sha256: Sha256 },
  strict,
);
const ReplaceRange = Type.Object(
  {
    kind: Type.Literal("REPLACE_RANGE"),
    path: Path,
    base_sha256: Sha256,
    start_line: Line,
    end_line: Type.Integer({ minimum: 0 }),
    content: Content,
  },
  strict,
);

const ActionV2 = Type.Unsafe<
  | Static<typeof CreateFile>
  | Static<typeof UpdateFile>
  | Static<typeof CreateDir>
  | Static<typeof DeleteFile>
  | Static<typeof DeleteDir>
  | Static<typeof PatchFile>
  | Static<typeof ReplaceRange>
>({
  type: "object",
  required: ["kind"],
  discriminator: { propertyName: "kind" },
  oneOf: [CreateFile, UpdateFile, CreateDir, DeleteFile, DeleteDir, PatchFile, ReplaceRange],
});

const Query = Type.String({ minLength: 1, maxLength: 2000 });
const Glob = Type.String({ minLength: 1, maxLength: 512 });

const ReadRequest = Type.Object(
  {
    type: Type.Literal("read_file"),
    path: Path,
    start_line: Type.Optional(Line),
    end_line: Type.Optional(Line),
  },
  strict,
);
const SearchRequest = Type.Object(
  { type: Type.Literal("search"), query: Query, glob: Type.Optional(Glob) },
  strict,
);
const LogsRequest = Type.Object(
  {
    type: Type.Literal("logs"),
    source: Type.String({ minLength: 1, maxLength: 200 }),
    last_n: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
  },
  strict,
);
const EnvRequest = Type.Object({ type: Type.Literal("env") }, strict);

const ContextRequestV2 = Type.Unsafe<
  | Static<typeof ReadRequest>
  | Static<typeof SearchRequest>
  | Static<typeof LogsRequest>
  | Static<typeof EnvRequest>
>({
  type: "object",
  required: ["type"],
  discriminator: { propertyName: "type" },
  oneOf: [ReadRequest, SearchRequest, LogsRequest, EnvRequest],
});

const Text = Type.String({ maxLength: 2000 });
const Budget = Type.Unsafe<number | string>({
  anyOf: [
    { type: "integer", minimum: 0 },
    { type: "string", pattern: "^[0-9]{1,9}$" },
  ],
});
const Roots = Type.Array(Path, { maxItems: 64 });

const MemoryPatch = Type.Partial(
  Type.Object({
    "user.preferred_style": Text,
    "user.ask_budget": Budget,
    "user.risk_tolerance": Text,
    "user.default_language": Text,
    "user.output_format": Text,
    "project.default_test_command": Text,
    "project.default_lint_command": Text,
    "project.default_format_command": Text,
    "project.package_manager": Text,
    "project.build_command": Text,
    "project.src_roots": Roots,
    "project.test_roots": Roots,
    "project.ci_notes": Text,
  }),
  strict,
);

/** The whole answer of a model under protocol v2. */
export const ResponseV2 = Type.Object(
  {
    actions: Type.Array(ActionV2, { maxItems: 200 }),
    summary: Type.Optional(Type.String({ maxLength: 8000 })),
    context_requests: Type.Optional(Type.Array(ContextRequestV2, { maxItems: 64 })),
    memory_patch: Type.Optional(MemoryPatch),
  },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu model answer, protocol v2",
    x_schema_version: 2,
    ...strict,
  },
);

/** A validated model answer; field names are the wire's. */
export type ModelResponse = Static<typeof ResponseV2>;
/** One intended change as the model wrote it. */
export type Action = Static<typeof ActionV2>;
/** Something the model wants to see before it answers. */
export type ContextRequest = Static<typeof ContextRequestV2>;
