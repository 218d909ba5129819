import { type Place, stepInto } from "../schema/schema.ts";
import { isLiteralSecret } from "../secret.ts";
import { isTable } from "../value-at.ts";

const MASK = "[secret]";

/**
 * A part of the configuration as it may be shown: references to secrets stay, secrets do not,
 * nor do the parts of an address that hold them. What no node says is shown is not.
 */
export function maskConfig(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) {
    return value.map((each, index) => maskConfig(each, stepInto(place, index)));
  }
  if (isTable(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, maskConfig(each, stepInto(place, name))]),
    );
  }
  if (value === undefined) return undefined;
  if (!place.facts.isSecret) return typeof value === "string" ? maskAddress(value) : value;
  return typeof value === "string" && !isLiteralSecret(value) ? value : MASK;
}

function maskAddress(text: string): string {
  return text
    .replace(/^(https?:\/\/)[^\s/?#]*@/i, `$1${MASK}@`)
    .replace(/^(https?:\/\/[^\s?#]*\?)\S+$/i, `$1${MASK}`);
}
