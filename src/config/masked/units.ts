import { type AST, parseTOML } from "toml-eslint-parser";
import { maskConfig, WHOLE_CONFIG } from "../keys/keys.ts";
import { parseToml, toConfigError } from "../places/places.ts";
import type { KeyPath } from "../schema/schema.ts";
import { collectPlaces, renderTomlValue } from "../toml/toml.ts";
import { valueAt } from "../value-at.ts";
import { maskComment } from "./mask-comment.ts";

/** A place of a text: a value that is no table or list, or a comment. */
export interface TextPlace {
  readonly kind: "value" | "comment";
  readonly start: number;
  readonly end: number;
  /** Of a value. */
  readonly path: KeyPath;
}

/** A place with a secret in it. */
export interface Unit extends TextPlace {
  /** What may be shown in its place, with `[secret]` for each secret. */
  readonly masked: string;
}

/** Every value that is no table or list, and every comment, in the order of the text. */
export function findTextPlaces(text: string): readonly TextPlace[] {
  const program = parseWhole(text);
  const { pairs, elements } = collectPlaces(program);
  const values = [...pairs.map(({ path, node }) => ({ path, node: node.value })), ...elements];
  return [
    ...values.flatMap(({ path, node }) => (isLeaf(node) ? [toPlace("value", node, path)] : [])),
    ...program.comments.map((comment) => toPlace("comment", comment, [])),
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
      return masked === source ? [] : [{ ...place, masked }];
    }
    const real = valueAt(value, place.path);
    const masked = valueAt(shown, place.path);
    const redacted = typeof masked === "string" ? redact(masked) : masked;
    return Bun.deepEquals(redacted, real) ? [] : [{ ...place, masked: renderTomlValue(redacted) }];
  });
}

function isLeaf(node: AST.TOMLContentNode): boolean {
  return node.type !== "TOMLInlineTable" && node.type !== "TOMLArray";
}

function toPlace(
  kind: TextPlace["kind"],
  { range: [start, end] }: { readonly range: readonly [number, number] },
  path: KeyPath,
): TextPlace {
  return { kind, start, end, path };
}
