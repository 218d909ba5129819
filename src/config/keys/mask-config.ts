import { type Place, stepInto } from "../schema/schema.ts";
import { isLiteralSecret, secretArguments } from "../secret.ts";
import { isTable } from "../value-at.ts";

const MASK = "[secret]";

/**
 * A part of the configuration as it may be shown: references to secrets stay, secrets do not,
 * nor do the parts of an address that hold them. What no node says is shown is not.
 */
export function maskConfig(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) {
    const texts = value.filter((each) => typeof each === "string");
    const secrets = texts.length === value.length ? secretArguments(texts) : [];
    return value.map((each, index) => {
      const shown = maskConfig(each, stepInto(place, index));
      return typeof shown === "string" ? maskAll(shown, secrets) : shown;
    });
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

/** A command line has secrets among its words, which no node of the schema knows. */
function maskAll(text: string, secrets: readonly string[]): string {
  // A word that is one is hidden whole, whatever else in the line is a part of it.
  if (secrets.includes(text)) return MASK;
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replace(secret, () => MASK), text);
}

function maskAddress(text: string): string {
  return text
    .replace(/^(https?:\/\/)[^\s/?#]*@/i, `$1${MASK}@`)
    .replace(/^(https?:\/\/[^\s?#]*\?)\S+$/i, `$1${MASK}`);
}
