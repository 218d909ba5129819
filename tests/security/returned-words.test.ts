import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Effect } from "../../src/security/policy.ts";
import { openProvenance } from "../../src/security/provenance.ts";
import type { Tool, ToolArguments, ToolResult } from "../../src/tools/tool.ts";
import { openAttack, type Step, spy } from "./attack-scene.ts";

const ISSUES = 'Two issues: PROJ-17 "Fix it", PROJ-18.\n{"id":4711,"path":"src/a.ts"}';
const SECRET = "hunter2secret";

interface Of {
  readonly server?: string;
  readonly effect?: Effect;
  readonly wordedBy?: "owner" | "outside";
  readonly answer?: ToolResult;
}

/** A tool of a server, whose list its owner has read unless it is said otherwise. */
function toolOf(name: string, { server = "own", ...more }: Of = {}) {
  const { effect = "network", wordedBy = "owner", answer } = more;
  const text = { type: "string" } as const;
  const properties = { id: text, other: text, n: { type: "integer" }, list: { type: "array" } };
  return spy(`mcp__${server}__${name}`, effect, {
    schema: {
      name: `mcp__${server}__${name}`,
      description: name,
      parameters: { type: "object", properties },
    },
    origin: "outside",
    wordedBy,
    server: { name: server, isNamed: true, listSha256: "" },
    answer: () => answer ?? { ok: true, content: ISSUES },
  });
}

const list = toolOf("list");
const read = spy("read", "none", {
  origin: "workspace",
  answer: () => ({ ok: true, content: `the password is ${SECRET}` }),
});
const asks = (args: ToolArguments): Step => [["mcp__own__get", args]];

describe("what a server of the owner's said in the turn", () => {
  test.each([
    { id: "PROJ-17" },
    { id: "PROJ-18" },
    { n: 4711 },
    { id: "src/a.ts" },
    { id: "PROJ-17", other: "PROJ-18" },
    { id: "issue", other: "PROJ-17" },
  ])("goes back to it unasked, as whole words of its own: %j", async (args) => {
    const get = toolOf("get");
    const steps: Step[] = [[["mcp__own__list", {}]], asks(args), "done"];
    using scene = await openAttack({ steps, tools: [list, get] });
    expect((await scene.say("show me each issue")).kinds).not.toContain("call_approval");
    expect(get.runs).toEqual([args]);
  });

  /** Ways in which it could carry what it may not, all of which ask. */
  const ATTACKS: readonly {
    readonly name: string;
    readonly first?: readonly Tool[];
    readonly get?: Of;
    readonly args?: ToolArguments;
  }[] = [
    { name: "a word of a file", first: [read, list], args: { id: SECRET } },
    { name: "a word that nobody said", args: { id: "bXkgY29udHJhY3Q" } },
    { name: "a part of a word", args: { id: "PROJ" } },
    { name: "words put together", args: { id: "PROJ-17PROJ-18" } },
    { name: "two words in an order of its choice", args: { id: "PROJ-18 PROJ-17" } },
    { name: "two words, in the order of the answer", args: { id: "Two issues" } },
    { name: "a word in other letters", args: { id: "proj-17" } },
    { name: "a word with blanks around it", args: { id: " PROJ-17" } },
    { name: "a list of words", args: { list: ["PROJ-17", "PROJ-18"] } },
    { name: "a word beside one that nobody said", args: { id: "PROJ-17", other: "leak" } },
    { name: "a word of another server", first: [toolOf("list", { server: "far" })] },
    { name: "a word to another server", first: [list], get: { server: "far" } },
    {
      name: "a word of what failed, which may quote the model",
      first: [
        toolOf("list", {
          answer: { ok: false, error: ISSUES, errorCode: "internal", retryable: false },
        }),
      ],
    },
    { name: "a word to a server whose list nobody has read", get: { wordedBy: "outside" } },
    { name: "a word to what changes something", get: { effect: "change" } },
  ];
  test.each(ATTACKS)("asks for $name", async ({ first = [list], get: of = {}, args }) => {
    const get = toolOf("get", of);
    const steps: Step[] = [
      first.map(({ schema }) => [schema.name, {}] as const),
      [[get.schema.name, args ?? { id: "PROJ-17" }]],
      "asked",
    ];
    using scene = await openAttack({ steps, tools: [...first, get], autonomy: "full" });
    expect((await scene.say("what is there?")).kinds).toContain("call_approval");
    expect(get.runs).toEqual([]);
  });

  test("is no word of a later turn", async () => {
    const get = toolOf("get");
    const steps: Step[] = [[["mcp__own__list", {}]], "listed", asks({ id: "PROJ-17" }), "asked"];
    using scene = await openAttack({ steps, tools: [list, get] });
    await scene.say("what is there?");
    expect((await scene.say("show the first one")).kinds).toContain("call_approval");
  });

  test("spells a secret out no further than eight choices go", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz0123456789".split("").join(" ");
    const feed = toolOf("list", { answer: { ok: true, content: letters } });
    const get = toolOf("get");
    const calls = [...new Set(SECRET)].map((id) => ["mcp__own__get", { id }] as const);
    const steps: Step[] = [[["read", {}]], [["mcp__own__list", {}]], calls, "asked"];
    using scene = await openAttack({ steps, tools: [read, feed, get], autonomy: "full" });
    expect((await scene.say("look")).kinds).toContain("call_approval");
    expect(calls.length).toBeGreaterThan(8);
    expect(get.runs).toHaveLength(7); // the list was the first choice
  });
});

test("openProvenance() lets no more words of a server's go back in a turn than choices, in however few calls", () => {
  const word = fc.constantFrom("one", "two", "three", "four", "five");
  const call = fc.array(word, { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      const provenance = openProvenance();
      provenance.addPersonsText("look at what is there");
      provenance.read("outside", "one two three four five", undefined, "own");
      let left = 0;
      for (const texts of calls) {
        const leaving = { kind: "words", texts, backTo: "own" } as const;
        if (provenance.findLeak(leaving)) continue;
        provenance.pass(leaving);
        left += Math.max(1, texts.length);
      }
      expect(left).toBeLessThanOrEqual(8);
    }),
  );
});
