import { isLiteralSecret, isSecretUnder } from "./secret.ts";

const MASK = "[secret]";

/** An address of any kind: user, where it is, and what it asks for. */
const ADDRESS = /(?<=\b[a-z][a-z\d+.-]{0,40}:\/\/)([^\s/?#"'`]*@)?([^\s?#"'`]*)([?#][^\s"'`]+)?/giu;
const SCHEME = /(?<=\b(?:bearer|basic)\s)\s*[\w.~+/=-]{6,}/giu;
/** A `value` that the `name` before it says is one, up to what ends a word in a shell or a list. */
const SET =
  /((?<![\w.-])([\w.-]{1,100})["']?[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'`,;)}\]]+)/gu;
const GIVEN =
  /((?<![\w-])--?([\w-]{1,100})[ \t]+)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?!--)[^\s"'`,;)}\]]+)/gu;
const SAID =
  /((?<![\w.-])([\w.-]{1,100})["']?[ \t]*:[ \t]*(?:(?:bearer|basic)[ \t]+)?)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'`,;)}\]]+)/giu;
/** What nobody makes up: ids, and letters and digits without a break in them. */
const ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/giu;
const LONG = /[A-Za-z\d+=]{16,}/gu;
/** So often a word of chance changes between small and capital letters and digits. */
const MIN_CHANGES = 4;

/**
 * A text as it may be shown to whoever may see a configuration: without the user and the query of an
 * address of any kind, without what a name such as `token` is set to, and without long words that
 * look as if nobody had made them up. References stay (`env:NAME`, `$NAME`), and so does what says
 * nothing of being a secret: a short password under a name of its own.
 */
export function maskText(text: string): string {
  const named = [SET, GIVEN].reduce(maskNamed, text);
  const placed = named.replace(ADDRESS, (_, user?: string, at?: string, asked?: string) => {
    return `${user ? `${MASK}@` : ""}${at ?? ""}${asked ? `${asked[0]}${MASK}` : ""}`;
  });
  return [SCHEME, ID, LONG].reduce(
    (shown, look) =>
      shown.replace(look, (word) => (look === LONG && !isOfChance(word) ? word : MASK)),
    placed,
  );
}

/** As {@link maskText}, where `name: value` is no sentence: in comments, headers and commands. */
export function maskPairs(text: string): string {
  return maskText(maskNamed(text, SAID));
}

function maskNamed(text: string, pair: RegExp): string {
  return text.replace(pair, (whole: string, head: string, name: string, value: string) => {
    const [, quote = "", inner = ""] = /^(["']?)(.*)\1$/su.exec(value) ?? [];
    return isSecret(name, inner) ? `${head}${quote}${MASK}${quote}` : whole;
  });
}

function isSecret(name: string, value: string): boolean {
  if (/^\$[\w({]|^\[secret$/u.test(value) || !isLiteralSecret(value)) return false;
  return isSecretUnder(name, value);
}

function isOfChance(word: string): boolean {
  const kinds = word
    .split("")
    .map((each) => (/\d/u.test(each) ? "0" : /[a-z]/u.test(each) ? "a" : "A"));
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return /\d/u.test(word) && changes >= MIN_CHANGES;
}
