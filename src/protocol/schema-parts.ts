import { type Static, Type } from "typebox";

/**
 * What several versions of the protocol have in common, as TypeBox. `bun run schemas` writes the
 * files `schemas/llm_response_schema*.json` from it, which are what runs: at run time nothing
 * imports the schema modules but for their types, so TypeBox costs no start-up time.
 */

/** No keys but the named ones. */
export const strict = { additionalProperties: false };

/** What begins every schema file of the protocol. */
export function header(version: number) {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `papa-yu model answer, protocol v${version}`,
    x_schema_version: version,
  };
}

export const Path = Type.String({ minLength: 1, maxLength: 240 });
export const Content = Type.String({ maxLength: 1_200_000 });
export const Sha256 = Type.String({ pattern: "^[a-f0-9]{64}$" });
export const Line = Type.Integer({ minimum: 1 });
export const Summary = Type.String({ maxLength: 8000 });

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

/** The kinds that every version has. */
export const WHOLE_FILE_ACTIONS = [CreateFile, UpdateFile, CreateDir, DeleteFile, DeleteDir];
export type WholeFileAction =
  | Static<typeof CreateFile>
  | Static<typeof UpdateFile>
  | Static<typeof CreateDir>
  | Static<typeof DeleteFile>
  | Static<typeof DeleteDir>;

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

/** The kinds that change a part of a file, from v2 on. */
export const PATCH_ACTIONS = [PatchFile, ReplaceRange];
export type PatchAction = Static<typeof PatchFile> | Static<typeof ReplaceRange>;

/** A union whose variants are told apart by the value of `key`. */
export function tagged<T>(key: string, variants: readonly object[]) {
  return Type.Unsafe<T>({
    type: "object",
    required: [key],
    discriminator: { propertyName: key },
    oneOf: [...variants],
  });
}

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
  {
    type: Type.Literal("search"),
    query: Type.String({ minLength: 1, maxLength: 2000 }),
    glob: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  },
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

export const ContextRequests = Type.Array(
  tagged<
    | Static<typeof ReadRequest>
    | Static<typeof SearchRequest>
    | Static<typeof LogsRequest>
    | Static<typeof EnvRequest>
  >("type", [ReadRequest, SearchRequest, LogsRequest, EnvRequest]),
  { maxItems: 64 },
);

const Text = Type.String({ maxLength: 2000 });
const Budget = Type.Unsafe<number | string>({
  anyOf: [
    { type: "integer", minimum: 0 },
    { type: "string", pattern: "^[0-9]{1,9}$" },
  ],
});
const Roots = Type.Array(Path, { maxItems: 64 });

/** What a model may want to be remembered: these keys and no others. */
export const MemoryPatch = Type.Partial(
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
