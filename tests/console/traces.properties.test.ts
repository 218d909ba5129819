import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toSeries } from "../../src/console/pages/traces/by-name.ts";
import { toCsv, toJson } from "../../src/console/pages/traces/csv.ts";
import {
  choicesOf,
  FILTERS,
  readFilters,
  renderFilters,
} from "../../src/console/pages/traces/filters.ts";
import { fillDays, toBars } from "../../src/console/pages/traces/waterfall.ts";
import { readRoute, renderRoute } from "../../src/console/route.ts";

const value = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== "");

describe("filters", () => {
  test("stand in the address as they were chosen, and nothing else does", () => {
    const filters = fc.dictionary(
      fc.constantFrom(...FILTERS),
      value.map((text) => text.trim()),
    );
    fc.assert(
      fc.property(filters, (given) => {
        const query = renderFilters(given);
        expect(readFilters(query)).toEqual({ ...given });
        const place = { page: "traces", ...(query !== "" && { query }) } as const;
        const { pathname, search } = new URL(renderRoute(place), "http://x");
        expect(readRoute(pathname, "", search)).toEqual(place);
      }),
    );
    expect(readFilters(`mode=&model=${"m".repeat(300)}&__proto__=x&other=y`)).toEqual({});
  });

  test("offer what was met, what is known and what is chosen, each once", () => {
    expect(choicesOf(new Set(["b", ""]), "c", ["b", "a"])).toEqual(["a", "b", "c"]);
    expect(choicesOf([], undefined)).toEqual([]);
  });
});

describe("toBars()", () => {
  test("covers the time from beginning to end, in order and without gaps", () => {
    const amount = fc.nat({ max: 10_000 });
    const call = fc.record({
      kind: fc.constantFrom("ask", "repair", "fallback", "__proto__"),
      version: fc.constant("v2"),
      at_ms: amount,
      duration_ms: amount,
      input_chars: amount,
      output_chars: amount,
      tokens: fc.constant({ input: 1, output: 1 }),
      cost: fc.constant(undefined),
      error_code: fc.constant(undefined),
    });
    const check = fc.record({
      command: value,
      ok: fc.boolean(),
      took_ms: fc.option(amount, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(call), amount, fc.array(check), (calls, duration, checks) => {
        const bars = toBars(calls, duration, checks);
        expect(bars.filter(({ call: of }) => of !== undefined)).toHaveLength(calls.length);
        expect(bars.filter(({ kind }) => kind === "check")).toHaveLength(checks.length);
        let at = 0;
        for (const { from, to } of bars) {
          expect(from).toBe(at);
          expect(to).toBeGreaterThanOrEqual(from);
          at = to;
        }
        expect(at).toBeGreaterThanOrEqual(duration);
      }),
    );
  });
});

test("fillDays() has each day of the period once, over months and leap days", () => {
  const days = fillDays("2028-02-27", 4, [{ day: "2028-02-29" }, { day: "1999-01-01" }]);
  expect(days).toEqual([
    { day: "2028-02-27", of: undefined },
    { day: "2028-02-28", of: undefined },
    { day: "2028-02-29", of: { day: "2028-02-29" } },
    { day: "2028-03-01", of: undefined },
  ]);
});

describe("toSeries()", () => {
  test("tells the largest names apart, and each day adds up to what was taken on it", () => {
    const days = ["d1", "d2", "d3"];
    const row = fc.record({
      day: fc.constantFrom(...days, "another"),
      name: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "__proto__"), { nil: undefined }),
      amount: fc.nat({ max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const series = toSeries(rows, days, "others");
        expect(series.length).toBeLessThanOrEqual(5);
        expect(series.at(-1)?.name).toBe("others");
        for (const [at, day] of days.entries()) {
          const onDay = rows.filter((each) => each.day === day);
          const drawn = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
          expect(drawn).toBe(onDay.reduce((sum, { amount }) => sum + amount, 0));
        }
        const sumOf = (name: string) =>
          rows.reduce((sum, each) => sum + (each.name === name ? each.amount : 0), 0);
        const named = series.slice(0, -1).map(({ name }) => name);
        const least = Math.min(...named.map(sumOf));
        for (const { name } of rows) {
          if (name === undefined || named.includes(name)) continue;
          expect(sumOf(name)).toBeLessThanOrEqual(least);
        }
      }),
    );
  });

  test("takes a name that is that of the others for no other", () => {
    const rows = [
      { day: "d1", name: "others", amount: 2 },
      { day: "d1", name: undefined, amount: 3 },
    ];
    expect(toSeries(rows, ["d1"], "others")).toEqual([
      { name: "others", values: [2] },
      { name: "others", values: [3] },
    ]);
  });
});

describe("files of figures", () => {
  test("lose no column that is called as another", () => {
    const json: unknown = JSON.parse(
      toJson(["day", "day", "others", "others", "day (2)"], [["d", 1, 2, 3, 4]]),
    );
    expect(json).toEqual([
      { day: "d", "day (2)": 1, others: 2, "others (2)": 3, "day (2) (2)": 4 },
    ]);
  });

  test("have no cell that a spreadsheet takes for a formula", () => {
    const text = fc.oneof(
      value,
      fc
        .tuple(fc.constantFrom("=", "+", "-", "@", " =", "\t@", '"='), value)
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const csv = toCsv(["a"], [cells]);
        const read = parse(csv)[1] ?? [];
        expect(read.map((cell) => cell.replace(/^'/u, ""))).toEqual(
          cells.map((cell) => cell.replace(/^'/u, "")),
        );
        for (const cell of read) expect(cell).not.toMatch(/^\s*[=+\-@]/u);
      }),
    );
    expect(
      toCsv(
        ["n", "=h"],
        [
          [-1, null],
          [1.5, 'a "b", c'],
        ],
      ),
    ).toBe('n,\'=h\r\n-1,\r\n1.5,"a ""b"", c"\r\n');
  });

  test("are lists of objects as JSON", () => {
    expect(
      JSON.parse(
        toJson(
          ["day", "x"],
          [
            ["2026-11-21", 1],
            ["=1", null],
          ],
        ),
      ),
    ).toEqual([
      { day: "2026-11-21", x: 1 },
      { day: "=1", x: null },
    ]);
  });
});

/** A CSV of CRLF lines, as a spreadsheet reads it. */
function parse(csv: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end = ""] of csv.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push([]);
  }
  return rows;
}
