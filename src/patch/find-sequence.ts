/**
 * Where a sequence of numbers stands in another, overlaps included, ascending; at most `limit`
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

/** The same for the UTF-16 units of strings: a search whose worst case is linear as well. */
export function findText(text: string, wanted: string, limit: number): readonly number[] {
  return findSequence(toUnits(text), toUnits(wanted), limit);
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
