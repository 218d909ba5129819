import { childOf, type SchemaNode } from "../schema/schema.ts";
import { isLiteralSecret } from "../secret.ts";
import { isTable } from "../value-at.ts";

const MASK = "[secret]";

/**
 * A part of the configuration as it may be shown: references to secrets stay, secrets do not,
 * nor do the parts of an address that hold them.
 */
export function maskConfig(value: unknown, node: SchemaNode): unknown {
  if (typeof value === "string") {
    if (node.writeOnly) return isLiteralSecret(value) ? MASK : value;
    return maskAddress(value);
  }
  if (Array.isArray(value)) return value.map((each) => maskConfig(each, node.items ?? {}));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      maskConfig(each, childOf(node, name) ?? {}),
    ]),
  );
}

function maskAddress(text: string): string {
  return text
    .replace(/^(https?:\/\/)[^\s/?#]*@/i, `$1${MASK}@`)
    .replace(/^(https?:\/\/[^\s?#]*\?)\S+$/i, `$1${MASK}`);
}
