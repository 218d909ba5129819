import { expect, test } from "bun:test";
import { failure, leavingOf, type Tool } from "../../src/tools/tool.ts";

const LOOK: Tool = {
  schema: {
    name: "look",
    description: "Looks",
    parameters: { type: "object", properties: { q: { type: "string" } } },
  },
  origin: "own",
  leaves: "nothing",
  effect: () => "none",
  run: async () => failure("internal", "it does not run"),
};

test("a Tool does not compile without where its words come from, what leaves and its effect", () => {
  const { origin, leaves, effect: _, ...rest } = LOOK;
  const effect = () => "none" as const;
  const open: readonly Tool[] = [
    // @ts-expect-error: no origin, by which its answer is quoted as data
    { ...rest, leaves, effect },
    // @ts-expect-error: does not say what leaves the machine
    { ...rest, origin, effect },
    // @ts-expect-error: no effect, by which a person is asked
    { ...rest, origin, leaves },
    { ...rest, origin, leaves, effect },
  ];
  expect(open).toHaveLength(4);
});

test("leavingOf() takes a tool that does not say what leaves for one that passes on everything", async () => {
  const args = { q: "a", n: 5, list: [true, { deep: "b" }] };
  const everything = {
    kind: "words",
    texts: ["n", "list", "a", "5", "true", "deep", "b"],
  } as const;
  // As a tool would be that no compiler has seen.
  const unchecked: Tool = Object.assign({}, LOOK, { leaves: undefined });
  for (const origin of ["own", "workspace", "outside"] as const) {
    expect(await leavingOf({ ...unchecked, origin }, args)).toEqual(everything);
    expect(await leavingOf({ ...LOOK, origin, leaves: "arguments" }, args)).toEqual(everything);
    expect(await leavingOf({ ...LOOK, origin }, args)).toEqual({ kind: "nothing" });
  }
});
