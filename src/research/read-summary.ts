import { Ajv } from "ajv";
import schema from "../../schemas/online_answer_schema.json" with { type: "json" };
import type { Failure } from "../core/app-error.ts";
import { describeSchemaError } from "../protocol/describe-schema-error.ts";
import { dropNulls, extractJson } from "../protocol/extract-json.ts";
import type { OnlineAnswer } from "./online-answer.ts";

/** A summary that follows its schema, or what is wrong with it in words a model can act on. */
export type ReadSummary = { readonly ok: true; readonly answer: OnlineAnswer } | Failure;

// The schema is ours and right: to make a validator for schemas first takes longer than this one.
const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, validateSchema: false });
const validate = ajv.compile<OnlineAnswer>(schema);

/** Finds and checks the summary in a model's text. Loads ajv: import it when there is an answer. */
export function readSummary(text: string): ReadSummary {
  const found = extractJson(text);
  if (!found.ok) return found;
  const answer = dropNulls(found.value);
  if (validate(answer)) return { ok: true, answer };
  const faults = (validate.errors ?? []).slice(0, MAX_FAULTS).map(describeSchemaError);
  const message = `The summary does not follow its schema: ${[...new Set(faults)].join("; ")}`;
  return { ok: false, code: "ERR_SCHEMA_VALIDATION", message };
}

const MAX_FAULTS = 10;
