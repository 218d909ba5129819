import { describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import {
  applyMessages,
  contextMessages,
  planMessages,
  repairMessages,
} from "../../src/planner/prompts.ts";

describe("planMessages()", () => {
  test("has a fixed part of under 1,200 tokens", () => {
    const tokens = planMessages("", "").map(({ content }) => encode(content).length);
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBeLessThan(1200);
  });

  test("puts the goal after the context, so that nothing in a file comes last", () => {
    const [, user] = planMessages("mend it", "FILE[a]");
    expect(user?.content.indexOf("FILE[a]")).toBeLessThan(
      user?.content.indexOf("GOAL: mend it") ?? 0,
    );
  });
});

describe("applyMessages()", () => {
  test("continues the plan's conversation with the plan as the model's own answer", () => {
    const roles = applyMessages(planMessages("g", "c"), "the plan").map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
  });
});

describe("contextMessages()", () => {
  test("says in the last round that nothing more can be shown", () => {
    const [first, last] = [false, true].map(
      (isLast) => contextMessages(planMessages("g", "c"), "{}", "FILE[a]", isLast).at(-1)?.content,
    );
    expect(first).toStartWith("FILE[a]\n\nAnswer with a PLAN");
    expect(last).toContain("Nothing more can be shown");
  });
});

describe("repairMessages()", () => {
  test("quotes the answer before and gives one instruction", () => {
    const [, , answer, instruction] = repairMessages(planMessages("g", "c"), "bad", "do this");
    expect(answer).toEqual({ role: "assistant", content: "bad" });
    expect(instruction?.content).toContain("do this");
  });
});
