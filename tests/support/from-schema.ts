import * as fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;

/** Values that a JSON Schema takes, made from the schema itself; sizes stay small. */
export function fromSchema(schema: unknown): fc.Arbitrary<unknown> {
  const node = toNode(schema);
  const variants = node["oneOf"] ?? node["anyOf"];
  if (Array.isArray(variants)) return fc.oneof(...variants.map(fromSchema));
  if ("const" in node) return fc.constant(node["const"]);
  if (Array.isArray(node["enum"])) return fc.constantFrom(...node["enum"]);
  const { type } = node;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => ofType(String(one), node)));
  return ofType(String(type), node);
}

function ofType(type: string, node: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return anObject(node);
    case "array": {
      const { minItems: minLength = 0 } = node;
      return fc.array(fromSchema(node["items"]), { minLength: Number(minLength), maxLength: 6 });
    }
    case "integer":
      return fc.integer({
        min: Number(node["minimum"] ?? -5),
        max: Math.min(Number(node["maximum"] ?? 5000), 5000),
      });
    case "string":
      return aString(node);
    default:
      throw new Error(`no values for the type ${type}`);
  }
}

function anObject(node: Schema): fc.Arbitrary<unknown> {
  const required: readonly unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
  const properties = Object.entries(toNode(node["properties"] ?? {}));
  const model = Object.fromEntries(properties.map(([name, one]) => [name, fromSchema(one)]));
  return fc.record(model, {
    requiredKeys: Object.keys(model).filter((key) => required.includes(key)),
  });
}

function aString({ pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern, "u"));
  return fc.string({
    unit: "grapheme",
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 20), 20),
  });
}

function toNode(schema: unknown): Schema {
  if (typeof schema !== "object" || schema === null) throw new Error("not a schema");
  return { ...schema };
}
