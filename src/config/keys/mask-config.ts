import { maskPairs, maskText } from "../mask-text.ts";
import { type Place, stepInto } from "../schema/schema.ts";
import { isLiteralSecret, secretArguments } from "../secret.ts";
import { isTable } from "../value-at.ts";

const MASK = "[secret]";

/**
 * A part of the configuration as it may be shown: references to secrets stay, secrets do not, nor
 * does what looks like one in other texts. What no node says is shown is not.
 *
 * @param arePrograms shown as they are: whoever is asked about a foreign file must see all of what it
 *   would run, and its secrets are not theirs
 */
export function maskConfig(value: unknown, place: Place, arePrograms = false): unknown {
  const isShown = (inner: Place) => arePrograms && inner.facts.namesProgram;
  if (typeof value === "string" && isShown(place)) return value;
  if (Array.isArray(value)) {
    const texts = value.filter((each) => typeof each === "string");
    const secrets = texts.length === value.length ? secretArguments(texts) : [];
    return value.map((each, index) => {
      const inner = stepInto(place, index);
      const shown = maskConfig(each, inner, arePrograms);
      return typeof shown === "string" && !isShown(inner)
        ? maskPairs(maskAll(shown, secrets))
        : shown;
    });
  }
  if (isTable(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, maskConfig(each, stepInto(place, name), arePrograms)]),
    );
  }
  if (value === undefined) return undefined;
  if (!place.facts.isSecret) {
    return typeof value === "string" && !isHash(value, place) ? maskText(value) : value;
  }
  return typeof value === "string" && !isLiteralSecret(value) ? value : MASK;
}

/** What the schema confines to a SHA-256 looks like a key and opens nothing. */
function isHash(value: string, { node }: Place): boolean {
  return node.pattern === SHA256 && new RegExp(SHA256, "u").test(value);
}

const SHA256 = "^(?:[0-9a-f]{64})?$";

/** A command line has secrets among its words, which no node of the schema knows. */
function maskAll(text: string, secrets: readonly string[]): string {
  // A word that is one is hidden whole, whatever else in the line is a part of it.
  if (secrets.includes(text)) return MASK;
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replace(secret, () => MASK), text);
}
