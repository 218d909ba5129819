import { isLiteralSecret, isSecretName, secretArguments } from "../secret.ts";

const MASK = "[secret]";
const PAIR =
  /(?<name>[\w-]+|"[^"\n]*")(?<is>\s*=\s*)(?<value>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,}\]#]+)/gu;
const WORD = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/gu;

/**
 * A comment without what is secret in it: what `redact` finds, values of keys that are commented out
 * and secrets by their name, words of command lines, parts of addresses.
 */
export function maskComment(comment: string, redact: (text: string) => string): string {
  const words = [...comment.matchAll(WORD)].map(([, one, other]) => one ?? other ?? "");
  const secrets = secretArguments(words).filter((word) => word !== "" && isLiteralSecret(word));
  const byWords = secrets.reduce((text, secret) => text.replace(secret, () => MASK), comment);
  const byNames = byWords.replace(PAIR, (whole: string, name: string, is: string, value: string) =>
    isSecretName(name) && isLiteralSecret(unquoted(value)) ? `${name}${is}"${MASK}"` : whole,
  );
  const byPlaces = byNames
    .replaceAll(/(https?:\/\/)[^\s/?#"']*@/giu, `$1${MASK}@`)
    .replaceAll(/(https?:\/\/[^\s?#"']*\?)[^\s"']+/giu, `$1${MASK}`);
  return redact(byPlaces);
}

function unquoted(value: string): string {
  return /^(["']).*\1$/su.test(value) ? value.slice(1, -1) : value;
}
