import { type Statement, scanToml } from "./scan-toml.ts";
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
  const statements = scanToml(text);
  const isWithin = statements.some(({ from, to }) => from < lineStart && lineStart <= to);
  if (rest.trim() !== "" || isWithin) return undefined;
  const offer = (typed: string, possible: readonly string[]): Completion | undefined => {
    const offers = possible.filter((each) => each.startsWith(typed) && each !== typed);
    if (offers.length === 0) return undefined;
    return { from: caret - typed.length, offers: offers.filter((_, at) => at < MOST_OFFERED) };
  };
  const [, bracket] = /^\s*(\[[\w.[-]*)$/u.exec(line) ?? [];
  if (bracket !== undefined) return offer(bracket, headersOf(keys, statements));
  const section = sectionAt(statements, lineStart);
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

/**
 * The headers of all tables that may come, each once: one that is there comes no second time, but in a
 * list. Of one that a person names the part before the name.
 */
function headersOf(
  keys: readonly Pick<KnownKey, "key">[],
  statements: readonly Statement[],
): readonly string[] {
  const tables = statements.filter(({ kind }) => kind === "table");
  const there = new Set(tables.map(({ path }) => path.join(".")));
  const headers = keys.flatMap(({ key }) => {
    const { table } = split(key);
    const path = table.map((step) => step.replace("[]", "")).join(".");
    const [named] = path.split(ANY, 1);
    if (named !== undefined && named !== path) return [`[${named}`];
    if (table.at(-1)?.endsWith("[]")) return [`[[${path}]]`];
    return there.has(path) ? [] : [`[${path}]`];
  });
  return [...new Set(headers)];
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

/** The table in which a line stands, and the keys that it has, on other lines. */
function sectionAt(statements: readonly Statement[], lineStart: number) {
  let table: readonly string[] = [];
  let has = new Set<string>();
  for (const { kind, path, from } of statements) {
    if (kind === "pair") {
      has.add(path.join("."));
      continue;
    }
    if (from >= lineStart) break;
    has = new Set();
    table = kind === "list" ? [...path.slice(0, -1), `${path.at(-1)}[]`] : path;
  }
  return { table, has };
}
