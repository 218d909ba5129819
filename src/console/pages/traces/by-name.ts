/** Names that a chart tells apart. */
const MOST_NAMED = 4;

/** What something took on a day; without a name it belongs to nobody in particular. */
export interface Amount {
  readonly day: string;
  readonly name: string | undefined;
  readonly amount: number;
}

/**
 * Amounts as one series for each of the few names that took the most over all days, and one of all
 * others: a day's values add up to what was taken on it.
 */
export function toSeries(
  amounts: readonly Amount[],
  days: readonly string[],
  others: string,
): readonly { readonly name: string; readonly values: readonly number[] }[] {
  const sums = new Map<string, number>();
  for (const { name, amount } of amounts) {
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  const dearest = [...sums].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const named = dearest.filter((_, at) => at < MOST_NAMED);
  // Behind the last of them are the others.
  const placeOf = (name: string | undefined) => (name === undefined ? -1 : named.indexOf(name));
  const places = new Map(days.map((day, at) => [day, at]));
  const series = [...named, others].map((name) => ({ name, values: days.map(() => 0) }));
  for (const { day, name, amount } of amounts) {
    const values = series.at(placeOf(name))?.values;
    const at = places.get(day);
    if (values && at !== undefined) values[at] = (values[at] ?? 0) + amount;
  }
  return series;
}
