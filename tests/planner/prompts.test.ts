import { describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import {
  applyMessages,
  contextMessages,
  fallbackNote,
  PROMPT_VERSIONS,
  planInstruction,
  planMessages,
  repairMessages,
  systemPrompt,
} from "../../src/planner/prompts/prompts.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";

const ALL = planInstruction({ research: true, memory: true });
const PLAIN = planInstruction({ research: false, memory: false });
const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];

function messages(version: ProtocolVersion = 2, goal = "g", context = "c") {
  return planMessages({ version, goal, context }, PLAIN);
}

/** Kinds of action that a version has beside those for whole files. */
const OWN_KINDS = { 1: [], 2: ["PATCH_FILE"], 3: ["PATCH_FILE", "EDIT_FILE"] } as const;

describe("planMessages()", () => {
  test.each(VERSIONS)("has under protocol v%d a fixed part of under 1,200 tokens", (version) => {
    const fixed = planMessages({ version, goal: "", context: "" }, ALL);
    const tokens = fixed.reduce((sum, { content }) => sum + encode(content).length, 0);
    console.log(`prompt ${PROMPT_VERSIONS[version]}: ${tokens} tokens`);
    expect(tokens).toBeLessThan(1200);
  });

  test("puts the goal after the context, so that nothing in a file comes last", () => {
    const [, user] = messages(2, "fix it", "FILE[a]");
    expect(user?.content.indexOf("FILE[a]")).toBeLessThan(
      user?.content.indexOf("GOAL: fix it") ?? 0,
    );
  });
});

describe("planInstruction()", () => {
  test("tells of research and of memory only where they are allowed", () => {
    expect(PLAIN).not.toContain("NEEDS_ONLINE_RESEARCH");
    expect(PLAIN).not.toContain("memory_patch");
    expect(ALL).toContain("NEEDS_ONLINE_RESEARCH: <query>");
    expect(ALL).toContain("memory_patch");
  });
});

describe("systemPrompt()", () => {
  test.each(VERSIONS)("names the kinds of action of v%d and no others", (version) => {
    const text = systemPrompt(version);
    const own: readonly string[] = OWN_KINDS[version];
    for (const kind of ["PATCH_FILE", "EDIT_FILE"]) {
      expect(text.includes(kind)).toBe(own.includes(kind));
    }
    expect(text.includes("UPDATE_FILE is not allowed")).toBe(version !== 1);
  });
});

test.each(VERSIONS)("the prompts of v%d state every rule that a model has to keep", (version) => {
  const said = [
    ...planMessages({ version, goal: "", context: "" }, PLAIN),
    ...applyMessages({ messages: [], summary: "" }, version),
  ];
  const text = said.map(({ content }) => content).join("\n");
  for (const rule of [
    "exactly ONE JSON object and nothing around it",
    "Never invent the content of a file",
    "context_requests",
    "never write to disk and never run commands, nor claim that one was run",
    "At most two questions",
    "no reformatting, no change of line endings",
    "not UTF-8, generated or huge is left alone",
    "Never touch .env, keys, lock files",
    'starts with "NO_CHANGES:"',
    ...(version === 1 ? ["shown whole"] : ["base_sha256 is copied from the FILE[...] line"]),
    ...(version === 2 ? ["1-3 lines of context copied exactly"] : []),
  ]) {
    expect(text).toContain(rule);
  }
});

describe("applyMessages()", () => {
  const plan = { messages: messages(3), summary: "the plan" };

  test("continues the plan's conversation with the plan as the model's own answer", () => {
    const roles = applyMessages(plan, 3).map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
  });

  test("speaks of the version that is asked, and of what the one before ran into", () => {
    const lower = applyMessages(plan, 1, fallbackNote("the patch did not fit", "FILE[a]"));
    expect(lower[0]?.content).toBe(systemPrompt(1));
    expect(lower.at(-1)?.content).toMatch(/the patch did not fit[^]*FILE\[a\][^]*Now APPLY/u);
  });
});

describe("contextMessages()", () => {
  test("says in the last round that nothing more can be shown", () => {
    const [first, last] = [false, true].map((isLastRound) => {
      const request = { answer: "{}", context: "FILE[a]", isLastRound };
      return contextMessages(messages(), request, PLAIN).at(-1)?.content;
    });
    expect(first).toStartWith("FILE[a]\n\nAnswer with a PLAN");
    expect(last).toContain("Nothing more can be shown");
  });
});

describe("repairMessages()", () => {
  test("quotes no endless answer, and an empty one in words", () => {
    const quoted = (answer: string) => repairMessages(messages(), answer, "x")[2]?.content ?? "";
    expect(quoted("a".repeat(8_000_000)).length).toBeLessThanOrEqual(60_000);
    expect(quoted(" ")).toBe("(nothing)");
  });

  test("quotes the answer before and gives one instruction", () => {
    const [, , answer, instruction] = repairMessages(messages(), "bad", "do this");
    expect(answer).toEqual({ role: "assistant", content: "bad" });
    expect(instruction?.content).toContain("do this");
  });
});
