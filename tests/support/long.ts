import { tellFigures } from "./figures.ts";

/**
 * `npm run test:long` asks for all of what `npm test` takes a sample of. The sample is the same
 * each time; `TEST_SEED=3` takes another.
 */
const LONG = process.env["LONG"] !== undefined;
const SEED = Number(process.env["TEST_SEED"] ?? 0);

/** How often to try: the first number in `npm test`, the second in the long form. */
export function runs(sampled: number, long: number): number {
  if (LONG) tellFigures("runs", { of: long });
  return LONG ? long : sampled;
}

/** About one of `n`, from the first to the last of the list; all in the long form. */
export function oneOf<T>(n: number, items: readonly T[]): readonly T[] {
  if (LONG) tellFigures("rows", { of: items.length });
  return LONG ? items : items.filter((_, index) => (index + SEED) % n === 0);
}

/**
 * Every row with so many of the ways, the next row with the next ways, so that the sample leaves
 * out no row and no way; every row with every way in the long form.
 */
export function crossed<Row, Way>(
  rows: readonly Row[],
  ways: readonly Way[],
  waysOfRow: number,
): readonly (readonly [row: Row, way: Way])[] {
  if (LONG) tellFigures("rows × ways", { of: rows.length * ways.length });
  return rows.flatMap((row, index) => {
    const first = ((index + SEED) * waysOfRow) % ways.length;
    const turned = [...ways.slice(first), ...ways.slice(0, first)];
    return (LONG ? ways : turned.slice(0, waysOfRow)).map((way) => [row, way] as const);
  });
}
