import { type AST, parseTOML } from "toml-eslint-parser";
import { maskConfig, WHOLE_CONFIG } from "../keys/keys.ts";
import { maskPairs } from "../mask-text.ts";
import { parseToml, toConfigError } from "../places/places.ts";
import type { KeyPath } from "../schema/schema.ts";
import { isLiteralSecret, secretArguments } from "../secret.ts";
import { collectPlaces, renderTomlValue } from "../toml/toml.ts";
import { valueAt } from "../value-at.ts";

/** A place of a text: a value that is no table or list, or a comment. */
export interface TextPlace {
  readonly kind: "value" | "comment";
  readonly start: number;
  readonly end: number;
  /** Of a value. */
  readonly path: KeyPath;
  /** The text of what sets it: a key with its value, or with the whole list that it is a word of. */
  readonly statement: () => string;
}

/** A place with a secret in it. */
export interface Unit extends Omit<TextPlace, "statement"> {
  /** What may be shown in its place, with `[secret]` for each secret. */
  readonly masked: string;
}

/** Every value that is no table or list, and every comment, in the order of the text. */
export function findTextPlaces(text: string): readonly TextPlace[] {
  const program = parseWhole(text);
  const { pairs, elements } = collectPlaces(program);
  const values = [...pairs.map(({ path, node }) => ({ path, node: node.value })), ...elements];
  const statementOf = (path: KeyPath, at: number) => {
    const around = pairs.filter(({ path: own, node: { range, value } }) => {
      const isIn = range[0] <= at && at < range[1] && own.length <= path.length;
      return isIn && value.type !== "TOMLInlineTable";
    });
    const [start, end] = around.toSorted((a, b) => b.path.length - a.path.length)[0]?.node
      .range ?? [at, at];
    return text.slice(start, end);
  };
  return [
    ...values.flatMap(({ path, node }) =>
      isLeaf(node) ? [toPlace("value", node, path, () => statementOf(path, node.range[0]))] : [],
    ),
    ...program.comments.map((comment) => toPlace("comment", comment, [], () => "")),
  ].toSorted((a, b) => a.start - b.start);
}

/** Where the two parsers differ over a text, it is one that nobody may be shown. */
function parseWhole(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "latest" });
  } catch {
    const message = "its values cannot be told apart here; write it in a simpler way";
    throw toConfigError("ERR_CONFIG_PARSE", undefined, [{ file: "", line: 0, key: "", message }]);
  }
}

/** The places of a text with something secret in them. */
export function findUnits(text: string, redact: (text: string) => string): readonly Unit[] {
  const { value } = parseToml("", "", text);
  const shown = maskConfig(value, WHOLE_CONFIG);
  return findTextPlaces(text).flatMap((place) => {
    const source = text.slice(place.start, place.end);
    if (place.kind === "comment") {
      const masked = maskComment(source, redact);
      return masked === source ? [] : [toUnit(place, masked)];
    }
    const real = valueAt(value, place.path);
    const masked = valueAt(shown, place.path);
    const redacted = typeof masked === "string" ? redact(masked) : masked;
    return Bun.deepEquals(redacted, real) ? [] : [toUnit(place, renderTomlValue(redacted))];
  });
}

function toUnit({ kind, start, end, path }: TextPlace, masked: string): Unit {
  return { kind, start, end, path, masked };
}

function isLeaf(node: AST.TOMLContentNode): boolean {
  return node.type !== "TOMLInlineTable" && node.type !== "TOMLArray";
}

function toPlace(
  kind: TextPlace["kind"],
  { range: [start, end] }: { readonly range: readonly [number, number] },
  path: KeyPath,
  statement: () => string,
): TextPlace {
  return {
    kind,
    start,
    end,
    path,
    statement,
  };
}

const MASK = "[secret]";
const WORD = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/gu;

/**
 * A comment without what is secret in it: what `redact` finds, values of keys that are commented out
 * and secrets by their name, words of command lines, parts of addresses.
 */
function maskComment(comment: string, redact: (text: string) => string): string {
  const words = [...comment.matchAll(WORD)].map(([, one, other]) => one ?? other ?? "");
  const secrets = secretArguments(words).filter((word) => word !== "" && isLiteralSecret(word));
  const byWords = secrets.reduce((text, secret) => text.replace(secret, () => MASK), comment);
  return redact(maskPairs(byWords));
}
