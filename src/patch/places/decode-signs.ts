import type { HunkNote } from "../../texts/notes/notes.ts";
import { type Hunk, withLines } from "../hunks/hunks.ts";
import type { Finder } from "./find-places.ts";

/** A way in which all of a patch may have been encoded. */
interface Code {
  /** What shows it in a line. */
  readonly mark: RegExp;
  readonly decode: (line: string) => string;
  /** A sign that would have been encoded with the rest. */
  readonly bare?: RegExp;
  readonly repair: HunkNote;
}

const SIGNS: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
};
const ENTITY = /&(lt|gt|amp|quot|apos|#39|#x27);/;
const DOUBLE = /[\u201C-\u201F\u2033]/g;
const SINGLE = /[\u2018-\u201B\u2032]/g;

/** One that decodes more comes before one that decodes otherwise. */
const CODES: readonly Code[] = [
  {
    mark: ENTITY,
    decode: (line) =>
      line.replace(new RegExp(ENTITY, "g"), (entity, name: string) => SIGNS[name] ?? entity),
    bare: /[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#x27);)/,
    repair: "encoded",
  },
  {
    mark: /[\u00A0\u2007\u202F]/,
    decode: (line) => line.replace(/[\u00A0\u2007\u202F]/g, " "),
    repair: "non-breaking",
  },
  ...['"', "'"].map((double) => ({
    mark: /[\u2018-\u201F\u2032\u2033]/,
    decode: (line: string) => line.replace(DOUBLE, double).replace(SINGLE, "'"),
    repair: "typographic" as const,
  })),
];

/** How lines are decoded, and what that repairs; undefined where nothing shows that they are encoded. */
export interface Decoding {
  readonly decode: (line: string) => string;
  readonly repairs: readonly HunkNote[];
}

/**
 * How all lines of a patch or of edits are decoded: with `&lt;` for `<` and the like, non-breaking
 * blanks or typographic quotes. Of the quoted lines that show a code the file has some decoded, but
 * none as written.
 */
export function findDecoding(
  quoted: readonly string[],
  all: readonly string[],
  finder: Finder,
): Decoding | undefined {
  let own = { quoted, all };
  const codes: Code[] = [];
  for (const code of CODES) {
    if (!isEncoded(code, own.quoted, own.all, finder)) continue;
    own = { quoted: own.quoted.map(code.decode), all: own.all.map(code.decode) };
    codes.push(code);
  }
  if (codes.length === 0) return undefined;
  return {
    decode: (line) => codes.reduce((text, { decode }) => decode(text), line),
    repairs: codes.map(({ repair }) => repair),
  };
}

function isEncoded(
  { mark, decode, bare }: Code,
  quoted: readonly string[],
  all: readonly string[],
  finder: Finder,
): boolean {
  const encoded = quoted.filter((line) => mark.test(line));
  if (encoded.length === 0 || (bare !== undefined && all.some((line) => bare.test(line)))) {
    return false;
  }
  if (encoded.some((line) => finder.exact([line]).length > 0)) return false;
  return encoded.some((line) => finder.positions(decode(line)).length > 0);
}

/** The hunks as they were before all of their lines were encoded. */
export function decodeSigns(hunks: readonly Hunk[], finder: Finder): readonly Hunk[] {
  const quoted = hunks.flatMap(({ before }) => before);
  if (!CODES.some(({ mark }) => quoted.some((line) => mark.test(line)))) return hunks;
  const all = hunks.flatMap(({ lines }) => lines.map(({ text }) => text));
  const decoding = findDecoding(quoted, all, finder);
  if (decoding === undefined) return hunks;
  return hunks.map((hunk) => withLines(hunk, decoding.decode, ...decoding.repairs));
}
