/** What rows and columns of a trip's tables are called, in the three languages. */
const NAMES = {
  destination: /^(?:destination|направление|место назначения|куда|目的地)$/iu,
  place: /^(?:place|stop|location|city|where|место|остановка|город|где|地点|地點|城市)$/iu,
  address: /^(?:address|адрес|地址)$/iu,
  other:
    /^(?:dates?|days?|when|time|start|end|from|to|nights?|notes?|budget|даты?|дни|день|когда|заметки|бюджет|日期|天数|时间)$/iu,
} as const satisfies Readonly<Record<string, RegExp>>;

type Row = readonly string[];

/** The tables of a Markdown text as trips: a row or a column "destination", or a list of stops. */
export function readTables(text: string): readonly unknown[] {
  return findTables(text).map(([head = [], ...rows]) => {
    const named = [...rows, ...(isPair(head) ? [head] : [])];
    const row = named.find(([name = ""]) => toName(name) === "destination");
    if (row) return { destination: row[1] };
    const stops = rows.map((cells) => toStop(head, cells));
    return { destination: stops[0]?.["destination"], itinerary: stops };
  });
}

/** A first row that is no head: "destination" and where to, not what the next column holds. */
function isPair([, value = "", ...more]: Row): boolean {
  return more.length === 0 && value !== "" && toName(value) === undefined;
}

function toStop(head: Row, cells: Row): Readonly<Record<string, string>> {
  const entries = cells.flatMap((cell, at) => {
    const name = toName(head[at] ?? "");
    return name !== undefined && cell !== "" ? [[name, cell] as const] : [];
  });
  return Object.fromEntries(entries);
}

function findTables(text: string): readonly (readonly Row[])[] {
  const tables: Row[][] = [];
  let table: Row[] | undefined;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (!line.startsWith("|")) {
      table = undefined;
      continue;
    }
    if (table === undefined) tables.push((table = []));
    const cells = toCells(line);
    if (!cells.every((cell) => /^:?-*:?$/u.test(cell)) || table.length === 0) table.push(cells);
  }
  return tables;
}

function toCells(line: string): Row {
  const cells = line.replace(/^\||\|$/gu, "").split("|");
  return cells.map((cell) => cell.replace(/[*_`]/gu, "").trim());
}

function toName(cell: string): string | undefined {
  return Object.entries(NAMES).find(([, pattern]) => pattern.test(cell))?.[0];
}
