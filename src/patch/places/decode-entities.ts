import { type Hunk, withLines } from "../hunks/hunks.ts";
import type { Finder } from "./find-places.ts";

const SIGNS: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
};
const ENTITY = /&(lt|gt|amp|quot|apos|#39|#x27);/g;
/** A sign that would have been encoded with the rest. */
const BARE = /[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#x27);)/;

/**
 * The hunks with `&lt;` for `<` and the like undone, if all of the patch was encoded so: it has
 * no bare sign, and of the lines with entities that it quotes the file has some decoded, but none
 * as written.
 */
export function decodeEntities(hunks: readonly Hunk[], finder: Finder): readonly Hunk[] {
  const encoded = hunks.flatMap(({ before }) => before.filter((line) => line.search(ENTITY) >= 0));
  if (encoded.length === 0) return hunks;
  if (hunks.some(({ lines }) => lines.some(({ text }) => BARE.test(text)))) return hunks;
  const isInFile = (line: string) => finder.positions(line).length > 0;
  if (encoded.some(isInFile) || !encoded.some((line) => isInFile(decode(line)))) return hunks;
  return hunks.map((hunk) => withLines(hunk, decode, "signs are encoded"));
}

function decode(line: string): string {
  return line.replace(ENTITY, (entity, name: string) => SIGNS[name] ?? entity);
}
