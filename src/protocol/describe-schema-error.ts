import type { ErrorObject } from "ajv";
import { shorten } from "../core/cut-text.ts";

/** One error of ajv in plain words: `actions[2].path must have at most 240 characters`. */
export function describeSchemaError(error: ErrorObject): string {
  return `${toPlace(error.instancePath)} ${toDemand(error)}`;
}

/** A JSON pointer as a programmer would write it; the whole document is "the answer". */
function toPlace(pointer: string): string {
  const names = pointer.split("/").slice(1);
  const steps = names.map((name) => {
    const key = shorten(name.replaceAll("~1", "/").replaceAll("~0", "~"), 80);
    if (/^\d+$/.test(key)) return `[${key}]`;
    return /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return names.length === 0 ? "the answer" : steps.join("").replace(/^\./, "");
}

function toDemand({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return `must have "${params["missingProperty"]}"`;
    case "additionalProperties":
      return `must not have "${shorten(String(params["additionalProperty"]), 80)}"`;
    case "discriminator":
      return `must have a "${params["tag"]}" that is one of ${toChoices(parentSchema, params["tag"])}`;
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().join(", ")}`;
    case "pattern":
      return toPatternDemand(String(params["pattern"]));
    case "type":
      return `must be of type ${[params["type"]].flat().join(" or ")}`;
    case "minLength":
    case "maxLength":
      return `must have ${toBound(keyword, params["limit"])} characters`;
    case "minItems":
    case "maxItems":
      return `must have ${toBound(keyword, params["limit"])} items`;
    case "minimum":
      return `must be at least ${params["limit"]}`;
    case "maximum":
      return `must be at most ${params["limit"]}`;
    default:
      return message ?? `breaks the rule "${keyword}"`;
  }
}

function toBound(keyword: string, limit: unknown): string {
  return `at ${keyword.startsWith("min") ? "least" : "most"} ${String(limit)}`;
}

function toPatternDemand(pattern: string): string {
  if (pattern === "^[a-f0-9]{64}$") return "must be 64 lower-case hexadecimal digits";
  return pattern.startsWith("^[0-9]") ? "must be digits" : `must match ${pattern}`;
}

/** The values of the tag that tells the variants of a union apart. */
function toChoices(schema: ErrorObject["parentSchema"], tag: string): string {
  const variants: readonly unknown[] = schema?.["oneOf"] ?? [];
  return variants.map((one) => read(read(read(one, "properties"), tag), "const")).join(", ");
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
