import type { Environment } from "../../core/environment.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import { parseToml } from "../places/places.ts";
import { isLiteralSecret, resolveSecret, secretArguments, secretReferences } from "../secret.ts";
import { isTable } from "../value-at.ts";

/** Where references to secrets lead. */
interface SecretSources {
  readonly env: Environment;
  /** The person's home folder. */
  readonly home: string;
}

/**
 * Masks what a TOML text says itself of secrets, whether anything has used them yet or not, and what
 * others say.
 */
export function redactorOf(
  text: string,
  sources: SecretSources,
  others: readonly string[] = [],
): (text: string) => string {
  const { add, redact } = createRedactor();
  for (const reference of [...secretsOf(text), ...others]) {
    const secret = resolveSecret(reference, sources);
    if (secret.ok && secret.value !== undefined) add(secret.value);
  }
  return redact;
}

/**
 * As {@link redactorOf} another text, after a start with it: what is in force and stood in no file
 * stays, what stood in `before` goes with it.
 *
 * @param inForce a configuration
 */
export function redactorAfter(
  before: string,
  inForce: unknown,
  sources: SecretSources,
): (after: string) => (text: string) => string {
  const ofFile = new Set(secretsOf(before));
  const others = secretsIn(inForce).filter((each) => !ofFile.has(each));
  return (after) => redactorOf(after, sources, others);
}

function secretsOf(text: string): readonly string[] {
  return secretsIn(parseToml("", "", text).value);
}

/** References to secrets, and the secret words of commands. */
function secretsIn(value: unknown): readonly string[] {
  return [...secretReferences(value).map(({ reference }) => reference), ...wordsBelow(value)];
}

function wordsBelow(value: unknown): readonly string[] {
  if (!isTable(value)) return [];
  const each: readonly unknown[] = Object.values(value);
  const texts = each.filter((one) => typeof one === "string");
  const words = Array.isArray(value) ? secretArguments(texts).filter(isLiteralSecret) : [];
  return [...words, ...each.flatMap(wordsBelow)];
}
