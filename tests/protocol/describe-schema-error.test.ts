import { expect, test } from "bun:test";
import Ajv from "ajv";
import { describeSchemaError } from "../../src/protocol/describe-schema-error.ts";

const TAGGED = {
  type: "object",
  discriminator: { propertyName: "kind" },
  required: ["kind"],
  oneOf: ["a", "b"].map((kind) => ({ properties: { kind: { const: kind } } })),
};

test.each([
  [{ required: ["goal"] }, {}, 'the answer must have "goal"'],
  [{ additionalProperties: false }, { extra: 1 }, 'the answer must not have "extra"'],
  [TAGGED, { kind: "c" }, 'the answer must have a "kind" that is one of a, b'],
  [{ enum: ["a", "b"] }, "c", "the answer must be one of a, b"],
  [{ pattern: "^[a-f0-9]{64}$" }, "x", "the answer must be 64 lower-case hexadecimal digits"],
  [{ pattern: "^[0-9]+$" }, "x", "the answer must be digits"],
  [{ pattern: "^a$" }, "x", "the answer must match ^a$"],
  [{ type: "string" }, 1, "the answer must be of type string"],
  [{ type: ["string", "null"] }, 1, "the answer must be of type string or null"],
  [{ minLength: 2 }, "a", "the answer must have at least 2 characters"],
  [{ maxLength: 2 }, "abc", "the answer must have at most 2 characters"],
  [{ minItems: 1 }, [], "the answer must have at least 1 items"],
  [{ maxItems: 1 }, [1, 2], "the answer must have at most 1 items"],
  [{ minimum: 2 }, 1, "the answer must be at least 2"],
  [{ maximum: 2 }, 3, "the answer must be at most 2"],
  [{ multipleOf: 2 }, 3, "the answer must be multiple of 2"],
])("describeSchemaError() says what %j demands of %j", (schema, value, expected) => {
  const ajv = new Ajv({ discriminator: true, allowUnionTypes: true, verbose: true, strict: false });
  const validate = ajv.compile(schema);
  expect(validate(value)).toBe(false);
  expect((validate.errors ?? []).map(describeSchemaError)).toContain(expected);
});

test.each([
  [["actions", "2", "path"], "actions[2].path"],
  [["a b"], '["a b"]'],
  [["a/b", "c~d"], '["a/b"]["c~d"]'],
  [["12", "x"], "[12].x"],
])("describeSchemaError() names the place %j as a programmer would", (steps, place) => {
  const pointer = steps.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"));
  const error = { keyword: "minimum", params: { limit: 1 }, schemaPath: "" };
  const instancePath = pointer.map((step) => `/${step}`).join("");
  expect(describeSchemaError({ ...error, instancePath })).toBe(`${place} must be at least 1`);
});

test("describeSchemaError() names a rule that says nothing of itself", () => {
  const error = { keyword: "odd", params: {}, schemaPath: "", instancePath: "" };
  expect(describeSchemaError(error)).toBe('the answer breaks the rule "odd"');
});
