import { expect, test } from "bun:test";
import { type ForeignTool, failure, leavingOf, type Tool } from "../../src/tools/tool.ts";

const REST: Pick<Tool, "schema" | "run"> = {
  schema: {
    name: "look",
    description: "Looks",
    parameters: { type: "object", properties: { q: { type: "string" } } },
  },
  run: async () => failure("internal", "it does not run"),
};
const origin = "own";
const leaves = "nothing";
const effect = () => "none" as const;
const LOOK: Tool = Object.assign({}, REST, { origin, leaves, effect } as const);

test("a Tool does not compile without where its words come from, what leaves and its effect", () => {
  const open: readonly Tool[] = [
    // @ts-expect-error: no origin, by which its answer is quoted as data
    Object.assign({}, REST, { leaves, effect } as const),
    // @ts-expect-error: does not say what leaves the machine
    Object.assign({}, REST, { origin, effect } as const),
    // @ts-expect-error: no effect, by which a person is asked
    Object.assign({}, REST, { origin, leaves } as const),
    LOOK,
  ];
  expect(open).toHaveLength(4);
});

test("a ForeignTool does not compile without that strangers described it", () => {
  // @ts-expect-error: who is shown it would seem to have read nothing
  const unlabelled: ForeignTool = LOOK;
  const server = { name: "evil", isNamed: false, listSha256: "" };
  const labelled: ForeignTool = { ...LOOK, wordedBy: "outside", server };
  expect(labelled).toMatchObject(unlabelled);
});

test("leavingOf() takes a tool that does not say what leaves for one that passes on everything", async () => {
  const args = { q: "a", n: 5, list: [true, { deep: "b" }] };
  const everything = {
    kind: "words",
    texts: ["a", '{"n":5,"list":[true,{"deep":"b"}]}'],
  } as const;
  // As a tool would be that no compiler has seen.
  const unchecked: Tool = Object.assign({}, LOOK, { leaves: undefined });
  for (const from of ["own", "workspace", "outside"] as const) {
    expect(await leavingOf({ ...unchecked, origin: from }, args)).toEqual(everything);
    expect(await leavingOf({ ...LOOK, origin: from, leaves: "arguments" }, args)).toEqual(
      everything,
    );
    expect(await leavingOf({ ...LOOK, origin: from }, args)).toEqual({ kind: "nothing" });
  }
});
