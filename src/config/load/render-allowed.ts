import type { SchemaNode } from "../schema/schema.ts";

/** What a key may hold, for people: `an integer from 1 to 1000`. */
export function renderAllowed(node: SchemaNode): string {
  const example = node.examples?.find((each) => each !== "");
  const allowed = renderRule(node);
  return example === undefined ? allowed : `${allowed} such as ${JSON.stringify(example)}`;
}

function renderRule(node: SchemaNode): string {
  if (node.enum) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if (node.anyOf) return node.anyOf.map(renderAllowed).join(" or ");
  if ("const" in node) return JSON.stringify(node.const);
  if (node.type === "integer") return `an integer ${renderRange(node)}`;
  if (node.type === "number") return `a number ${renderRange(node)}`;
  if (node.type === "boolean") return "true or false";
  if (node.type === "array") return `an array of ${renderCount(node)}${renderItems(node.items)}`;
  if (node.type === "object") return "a table";
  return renderText(node);
}

function renderRange({ minimum, maximum }: SchemaNode): string {
  return maximum === undefined ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
}

function renderCount({ maxItems }: SchemaNode): string {
  return maxItems === undefined ? "" : `up to ${maxItems} `;
}

function renderItems(items: SchemaNode | undefined): string {
  if (items?.type === "object") return "tables";
  if (items?.type === "array") return `arrays of ${renderItems(items.items)}`;
  return items?.type === "integer" ? "integers" : "texts";
}

function renderText({ pattern, minLength = 0, maxLength }: SchemaNode): string {
  if (pattern !== undefined || maxLength === undefined) return "text";
  return `text of ${minLength === 0 ? "up" : minLength} to ${maxLength} characters`;
}
