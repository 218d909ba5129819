import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { createToolCallMerger, type ToolCallDelta } from "../../src/providers/tool-call-merger.ts";

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
