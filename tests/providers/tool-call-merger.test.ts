import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  createToolCallMerger,
  type ToolCallDelta,
} from "../../src/providers/openai-answer/tool-call-merger.ts";

function delta(parts: Partial<ToolCallDelta>): ToolCallDelta {
  return { index: undefined, id: undefined, name: undefined, arguments: "", ...parts };
}

function merge(deltas: readonly ToolCallDelta[]) {
  const merger = createToolCallMerger();
  for (const each of deltas) merger.add(each);
  return merger.calls().map(({ call }) => call);
}

describe("createToolCallMerger()", () => {
  test("puts any interleaving of indexed pieces together", () => {
    const call = fc.record({ name: fc.string({ minLength: 1 }), pieces: fc.array(fc.string()) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (all, picks) => {
        const queues = all.map(({ name, pieces }, index) => [
          delta({ index, id: `c${index}`, name }),
          ...pieces.map((text) => delta({ index, arguments: text })),
        ]);
        const deltas: ToolCallDelta[] = [];
        while (queues.some((queue) => queue.length > 0)) {
          const waiting = queues.filter((queue) => queue.length > 0);
          const [next] = waiting[picks.next().value % waiting.length]?.splice(0, 1) ?? [];
          if (next) deltas.push(next);
        }
        const merged = merge(deltas).toSorted((a, b) => Number(a.id > b.id) - 0.5);
        expect(merged).toEqual(
          all.map((each, i) => ({
            id: `c${i}`,
            name: each.name,
            arguments: each.pieces.join(""),
          })),
        );
      }),
    );
  });

  test("goes by id where there is no index", () => {
    const merged = merge([
      delta({ id: "a", name: "one" }),
      delta({ id: "b", name: "two" }),
      delta({ id: "a", arguments: "{1" }),
      delta({ id: "b", arguments: "{2" }),
      delta({ arguments: "}" }),
      delta({ id: "a", arguments: "}" }),
    ]);
    expect(merged).toEqual([
      { id: "a", name: "one", arguments: "{1}" },
      { id: "b", name: "two", arguments: "{2}" },
    ]);
  });

  test("tells calls apart that all have index 0", () => {
    const merged = merge([
      delta({ index: 0, id: "a", name: "one", arguments: "{1}" }),
      delta({ index: 0, id: "b", name: "two", arguments: "{2" }),
      delta({ index: 0, arguments: "}" }),
    ]);
    expect(merged.map((call) => call.arguments)).toEqual(["{1}", "{2}"]);
  });

  test("keeps a call whose id and name come with every piece", () => {
    const piece = delta({ index: 0, id: "a", name: "one", arguments: "x" });
    expect(merge([piece, piece])).toEqual([{ id: "a", name: "one", arguments: "xx" }]);
  });

  test("tells calls apart that all have index 0 and no id", () => {
    const merged = merge([
      delta({ index: 0, name: "read", arguments: '{"path":"a}"}' }),
      delta({ index: 0, name: "read", arguments: '{"path"' }),
      delta({ index: 0, arguments: ':"b"}' }),
      delta({ index: 0, name: "list", arguments: "{}" }),
    ]);
    expect(merged.map((call) => call.arguments)).toEqual(['{"path":"a}"}', '{"path":"b"}', "{}"]);
  });

  test("keeps a call whose name comes with every piece, and once more with nothing behind it", () => {
    const pieces = ['{"path":', '"{}"', "}", "", "\n"];
    for (const index of [0, undefined]) {
      const merged = merge(pieces.map((text) => delta({ index, name: "read", arguments: text })));
      expect(merged.map((call) => call.arguments.trim())).toEqual(['{"path":"{}"}']);
    }
  });

  /** How servers name the pieces of their calls; a piece is the first of its call, or not. */
  const WAYS: Readonly<
    Record<string, (call: number, isFirst: boolean) => Partial<Omit<ToolCallDelta, "name">>>
  > = {
    "an index each": (index) => ({ index }),
    "an index and an id each": (index) => ({ index, id: `c${index}` }),
    "an index each and an id at first": (index, isFirst) => ({
      index,
      id: isFirst ? `c${index}` : undefined,
    }),
    "an id each": (call) => ({ id: `c${call}` }),
    "one index and an id each": (call) => ({ index: 0, id: `c${call}` }),
    "one index and an id at first": (call, isFirst) => ({
      index: 0,
      id: isFirst ? `c${call}` : undefined,
    }),
    "one index": () => ({ index: 0 }),
    nothing: () => ({}),
  };

  test.each(Object.keys(WAYS))(
    "puts calls together however they are cut, when pieces have %s",
    (way) => {
      const args = fc.dictionary(fc.string(), fc.jsonValue());
      const call = fc.record({
        name: fc.constantFrom("read", "list", "write"),
        args: fc
          .tuple(args, fc.boolean())
          .map(([value, isWide]) =>
            isWide ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value),
          ),
        cuts: fc.array(fc.nat()),
      });
      // A name alone, before its arguments: then with none of them, as most servers begin.
      const calls = fc.array(call, { maxLength: 5 });
      fc.assert(
        fc.property(calls, fc.boolean(), fc.boolean(), (all, isNamed, isBare) => {
          const deltas = all.flatMap(({ name, args: text, cuts }, n) => {
            const at = cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b);
            const pieces = [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
            return [...(isBare ? [""] : []), ...pieces].map((piece, i) =>
              delta({
                ...WAYS[way]?.(n, i === 0),
                name: i === 0 || isNamed ? name : undefined,
                arguments: piece,
              }),
            );
          });
          // In its place and without an id the same call is that call, said again.
          const [one, two] = [0, 1].map((n) => WAYS[way]?.(n, true));
          const isInPlace = one?.id === undefined && one?.index === two?.index;
          const isAgain = (n: number) =>
            isInPlace &&
            all[n - 1]?.name === all[n]?.name &&
            Bun.deepEquals(JSON.parse(all[n - 1]?.args ?? "0"), JSON.parse(all[n]?.args ?? "1"));
          expect(merge(deltas).map((each) => [each.name, each.arguments.trim()])).toEqual(
            all
              .filter((_, n) => n === 0 || !isAgain(n))
              .map((each) => [each.name, each.args.trim()]),
          );
        }),
      );
    },
  );

  test("reads each piece of a long call once, however many have the name with them", () => {
    const merger = createToolCallMerger();
    const piece = delta({ index: 0, name: "write", arguments: "}" });
    merger.add({ ...piece, arguments: '{"text":"' });
    // Parsed behind each piece, this would be a quarter of a million times half a megabyte.
    for (let n = 0; n < 500_000; n++) merger.add(piece);
    merger.add({ ...piece, arguments: '"}' });
    expect(merger.calls()).toHaveLength(1);
  });

  const A = { name: "write", arguments: '{"path":"a"}' };
  const B = { name: "write", arguments: '{"path":"b"}' };
  const byIndex = [
    delta({ index: 0, id: "a", name: A.name }),
    delta({ index: 1, id: "b", name: B.name }),
    delta({ index: 0, arguments: A.arguments }),
    delta({ index: 1, arguments: B.arguments }),
  ];

  test.each<[string, ToolCallDelta[], { name: string; arguments: string }[]]>([
    ["without ids", [delta({ index: 0, ...A }), delta({ index: 1, ...B })], [A, B]],
    ["under their ids", [delta({ id: "a", ...A }), delta({ id: "b", ...B })], [A, B]],
    ["in another form", [delta({ index: 0, ...A, arguments: '{ "path": "a" }\n' })], [A, B]],
    [
      "under their ids, at one index",
      [delta({ index: 0, id: "a", ...A }), delta({ index: 0, id: "b", ...B })],
      [A, B],
    ],
    [
      "under an id, in another form",
      [delta({ id: "a", name: A.name, arguments: '{ "path": "a" }' })],
      [A, B],
    ],
    ["twice", [delta({ index: 0, ...A }), delta({ index: 0, ...A })], [A, B]],
    [
      "with ids of their own, for those are others",
      [delta({ index: 2, id: "c", ...A })],
      [A, B, A],
    ],
    ["with an index of its own", [delta({ index: 2, ...A })], [A, B, A]],
    ["with other arguments", [delta({ index: 0, ...B })], [A, B, B]],
  ])("takes no call twice that is said again at the end: %s", (_, again, calls) => {
    const merged = merge([...byIndex, ...again]).map(({ id: _id, ...call }) => call);
    expect(merged).toEqual(calls);
  });

  test("gives an id to a call without one or with one that is taken", () => {
    const merged = merge([
      delta({ name: "one" }),
      delta({ name: "two" }),
      delta({ index: 5, id: "a", name: "three" }),
      delta({ index: 6, id: "a", name: "four" }),
    ]);
    expect(merged.map((call) => call.name)).toEqual(["one", "two", "three", "four"]);
    expect(new Set(merged.map((call) => call.id)).size).toBe(4);
    expect(merged.every((call) => call.id !== "")).toBe(true);
  });

  test("refuses arguments over 1 MiB", () => {
    const merger = createToolCallMerger();
    merger.add(delta({ index: 0, arguments: "x".repeat(1024 * 1024) }));
    expect(() => merger.add(delta({ index: 0, arguments: "x" }))).toThrow("over 1 MiB");
  });
});
