import { maskPairs } from "../mask-text.ts";
import { isLiteralSecret, secretArguments } from "../secret.ts";

const MASK = "[secret]";
const WORD = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/gu;

/**
 * A comment without what is secret in it: what `redact` finds, values of keys that are commented out
 * and secrets by their name, words of command lines, parts of addresses.
 */
export function maskComment(comment: string, redact: (text: string) => string): string {
  const words = [...comment.matchAll(WORD)].map(([, one, other]) => one ?? other ?? "");
  const secrets = secretArguments(words).filter((word) => word !== "" && isLiteralSecret(word));
  const byWords = secrets.reduce((text, secret) => text.replace(secret, () => MASK), comment);
  return redact(maskPairs(byWords));
}
