/** What a list of traces is narrowed to, as it stands in the address. */
export const FILTERS = ["workspace", "mode", "model", "protocol", "error_code"] as const;

/** One of them. */
export type Filter = (typeof FILTERS)[number];

/** Those that are set. */
export type Filters = Readonly<Partial<Record<Filter, string>>>;

/** Longer than any name of ours. */
const MOST_CHARS = 256;

/** What an address asks for; what is no filter of ours, empty or too long is left out. */
export function readFilters(query: string): Filters {
  const given = new URLSearchParams(query);
  const found: Partial<Record<Filter, string>> = {};
  for (const name of FILTERS) {
    const value = given.get(name)?.trim() ?? "";
    if (value !== "" && value.length <= MOST_CHARS) found[name] = value;
  }
  return found;
}

/** What an address asks for that narrows nothing, by its names. */
export function unknownIn(query: string): readonly string[] {
  const taken = readFilters(query);
  const names = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    value.trim() === "" || Object.hasOwn(taken, name) ? [] : [name],
  );
  return [...new Set(names)];
}

/** What may be picked of a filter: what was met of it while the page is open, and what is picked now. */
export function choicesOf(
  met: Iterable<string>,
  chosen: string | undefined,
  known: readonly string[] = [],
): readonly string[] {
  const all = [...met, ...known, ...(chosen === undefined ? [] : [chosen])];
  return [...new Set(all)].filter((each) => each !== "").toSorted();
}

/** The other way round; always in the same order. */
export function renderFilters(filters: Filters): string {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name]?.trim() ?? "";
    if (value !== "") query.set(name, value);
  }
  return query.toString();
}
