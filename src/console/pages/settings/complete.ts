import type { KnownKey } from "./wire.ts";

/** What may stand from a place in the text up to the caret. */
export interface Completion {
  readonly from: number;
  readonly offers: readonly string[];
}

/** A completion that takes longer to read than a word more to type is none. */
const MOST_OFFERED = 8;

/**
 * What the configuration may have where somebody types: the tables behind a bracket, the keys of the
 * table above that it lacks, the values of a key that has few. Undefined: nothing is known that fits, as
 * within a line or a text of several lines.
 */
export function complete(
  text: string,
  caret: number,
  keys: readonly Pick<KnownKey, "key" | "values">[],
): Completion | undefined {
  const before = text.slice(0, caret);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.slice(lineStart);
  const [rest = ""] = text.slice(caret).split("\n", 1);
  if (rest.trim() !== "" || isInLongText(before.slice(0, lineStart))) return undefined;
  const offer = (typed: string, possible: readonly string[]): Completion | undefined => {
    const offers = possible.filter((each) => each.startsWith(typed) && each !== typed);
    if (offers.length === 0) return undefined;
    return { from: caret - typed.length, offers: offers.filter((_, at) => at < MOST_OFFERED) };
  };
  const [, bracket] = /^\s*(\[[\w.[-]*)$/u.exec(line) ?? [];
  if (bracket !== undefined) return offer(bracket, headersOf(keys));
  const section = sectionAt(text, lineStart);
  const known = keys.flatMap(({ key, values }) => {
    const name = nameIn(section.table, key);
    return name === undefined ? [] : [{ name, values }];
  });
  const [, key, value] = /^\s*([\w.-]+)\s*=\s*(\S*)$/u.exec(line) ?? [];
  if (key !== undefined && value !== undefined) {
    return offer(value, known.find(({ name }) => name === key)?.values ?? []);
  }
  const [, typed] = /^\s*([\w.-]+)$/u.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const missing = known.filter(({ name }) => !section.has.has(name));
  return offer(
    typed,
    missing.map(({ name }) => `${name} = `),
  );
}

/** The headers of all tables, each once; of one that a person names the part before the name. */
function headersOf(keys: readonly Pick<KnownKey, "key">[]): readonly string[] {
  const tables = keys.map(({ key }) => {
    const { table } = split(key);
    const path = table.map((step) => step.replace("[]", "")).join(".");
    const [named] = path.split(ANY, 1);
    if (named !== undefined && named !== path) return `[${named}`;
    return table.at(-1)?.endsWith("[]") ? `[[${path}]]` : `[${path}]`;
  });
  return [...new Set(tables)];
}

/** In the place of a name that people choose. */
const ANY = "NAME";

function split(key: string): { readonly table: readonly string[]; readonly name: string } {
  const steps = key.split(".");
  return { table: steps.slice(0, -1), name: steps.at(-1) ?? "" };
}

/** What a key is called in a table; undefined: it is none of that table. */
function nameIn(of: readonly string[], key: string): string | undefined {
  const { table, name } = split(key);
  if (of.length === 0)
    return table.some((step) => step === ANY || step.endsWith("[]")) ? undefined : key;
  const isSame = table.every((step, at) => step === of[at] || (step === ANY && at < of.length));
  return isSame && table.length === of.length ? name : undefined;
}

/** The table in which a line stands, and the keys that it has. */
function sectionAt(text: string, lineStart: number) {
  // No two parts of it take the same signs: its time grows with the text alone.
  const header = /^[ \t]*(\[\[?)([^[\]\n#]+)\]/gmu;
  let table: readonly string[] = [];
  let [from, to] = [0, text.length];
  for (const found of text.matchAll(header)) {
    if (found.index >= lineStart) {
      to = found.index;
      break;
    }
    const [all, bracket, path = ""] = found;
    const steps = path.split(".").map((step) => step.trim().replaceAll(/^["']|["']$/gu, ""));
    table = bracket === "[[" ? [...steps.slice(0, -1), `${steps.at(-1)}[]`] : steps;
    from = found.index + all.length;
  }
  const own = text.slice(from, to).matchAll(/^[ \t]*([\w.-]+)[ \t]*=/gmu);
  return { table, has: new Set(Array.from(own, ([, name = ""]) => name)) };
}

/** Whether a text of several lines began before, and did not end. */
function isInLongText(before: string): boolean {
  const marks = before.match(/"""|'''/gu) ?? [];
  return marks.length % 2 === 1;
}
