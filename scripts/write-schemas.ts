import { join } from "node:path";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { ConfigSchema } from "../src/config/schema/definition.ts";
import type { Documented, KeyFacts } from "../src/config/schema/schema-facts.ts";
import { ResponseV1 } from "../src/protocol/schema-v1.ts";
import { ResponseV2 } from "../src/protocol/schema-v2.ts";
import { ResponseV3 } from "../src/protocol/schema-v3.ts";
import { OnlineAnswerSchema } from "../src/research/online-answer.ts";
import { GoldenSchema } from "../src/trace/golden-schema.ts";
import { TraceSchema } from "../src/trace/trace-schema.ts";

/** Every checked-in JSON Schema and the TypeBox object it is made from. */
export const SCHEMAS: readonly { readonly file: string; readonly schema: object }[] = [
  { file: "config.schema.json", schema: ConfigSchema },
  { file: "golden_schema.json", schema: GoldenSchema },
  { file: "llm_response_schema.json", schema: ResponseV1 },
  { file: "llm_response_schema_v2.json", schema: ResponseV2 },
  { file: "llm_response_schema_v3.json", schema: ResponseV3 },
  { file: "online_answer_schema.json", schema: OnlineAnswerSchema },
  { file: "trace_schema.json", schema: TraceSchema },
];

/** What the folder `schemas/` holds: file name to text. */
export function renderSchemas(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { file, schema } of SCHEMAS) {
    files.set(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
  return files
    .set("config.validator.js", renderConfigValidator())
    .set("llm_response.validators.js", renderResponseValidators());
}

/** A word on a node that JSON Schema does not have. */
type OwnWord = keyof KeyFacts | keyof Documented;

/** The configuration is read at every start: compiled ahead, its validator costs 4 ms, not 75. */
function renderConfigValidator(): string {
  const ajv = new Ajv({ useDefaults: true, messages: false, ...COMPILED });
  ajv.addVocabulary([
    "strictness",
    "owner",
    "gate",
    "restart",
    "runs",
    "goesBy",
    "seeAlso",
  ] satisfies OwnWord[]);
  return renderModule(
    "src/config/schema/definition.ts",
    standaloneCode(ajv, ajv.compile(ConfigSchema)),
  );
}

/** The same for answers, of which a command of one plan checks one or two. */
function renderResponseValidators(): string {
  const ajv = new Ajv({ discriminator: true, strict: false, verbose: true, ...COMPILED });
  const code = standaloneCode(ajv, {
    validateV1: addSchema(ajv, "v1", ResponseV1),
    validateV2: addSchema(ajv, "v2", ResponseV2),
    validateV3: addSchema(ajv, "v3", ResponseV3),
  });
  return renderModule("src/protocol/schema-v1.ts, schema-v2.ts and schema-v3.ts", code);
}

const COMPILED = { allErrors: true, code: { source: true, esm: true, lines: true } };

function addSchema(ajv: Ajv, name: string, schema: object): string {
  ajv.addSchema(schema, name);
  return name;
}

function renderModule(source: string, code: string): string {
  return `/* oxlint-disable */\n// Made by "bun run schemas" from ${source}.\n${code}`;
}

if (import.meta.main) {
  for (const [file, text] of renderSchemas()) {
    await Bun.write(join(import.meta.dir, "../schemas", file), text);
  }
}
