/** So many units the engine searches for without harm. */
const HEAD_LENGTH = 64;

/**
 * Where a sequence of numbers occurs in another, overlaps included, ascending; at most `limit`
 * places. Knuth, Morris and Pratt: one pass, however alike the numbers are.
 */
export function findSequence(
  numbers: ArrayLike<number>,
  wanted: ArrayLike<number>,
  limit: number,
): readonly number[] {
  if (wanted.length === 0) return [];
  const borders = toBorders(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let i = 0; i < numbers.length && found.length < limit; i++) {
    while (matched > 0 && numbers[i] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (numbers[i] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      found.push(i + 1 - matched);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

/**
 * The same for the UTF-16 units of strings: a search whose worst case is linear as well. The
 * engine's own search is fast, but quadratic on hostile texts: it gets the first units only, and
 * where they occur too often it is given up.
 */
export function findText(text: string, wanted: string, limit: number): readonly number[] {
  if (wanted === "") return [];
  const head = wanted.slice(0, HEAD_LENGTH);
  const found: number[] = [];
  let workLeft = text.length;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
    if (found.length === limit) break;
    if (text.startsWith(wanted, at)) found.push(at);
    workLeft -= wanted.length;
    if (workLeft < 0) return findSequence(toUnits(text), toUnits(wanted), limit);
  }
  return found;
}

function toUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < units.length; i++) units[i] = text.charCodeAt(i);
  return units;
}

/** For each prefix of the sequence the length of its longest border. */
function toBorders(wanted: ArrayLike<number>): Int32Array {
  const borders = new Int32Array(wanted.length);
  for (let i = 1, border = 0; i < wanted.length; i++) {
    while (border > 0 && wanted[i] !== wanted[border]) border = borders[border - 1] ?? 0;
    if (wanted[i] === wanted[border]) border++;
    borders[i] = border;
  }
  return borders;
}
