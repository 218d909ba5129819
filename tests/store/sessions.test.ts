import { describe, expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/sessions.ts";

describe("createSessionStore()", () => {
  test("update() leaves what is not named and clears with null", () => {
    const sessions = createSessionStore(openStore(":memory:"));
    expect(sessions.state("s")).toEqual({});
    sessions.update("s", "u", { workspace: "w", planId: "p" }, 1);
    sessions.update("s", "u", { planId: null }, 2);
    expect(sessions.state("s")).toEqual({ workspace: "w", userId: "u" });
    sessions.update("s", "v", { planId: "q" }, 3);
    expect(sessions.state("s")).toEqual({ workspace: "w", planId: "q", userId: "v" });
    expect(sessions.count()).toBe(1);
  });

  test("history() gives the newest messages, oldest first, of one session", () => {
    const sessions = createSessionStore(openStore(":memory:"));
    const messages = ["a", "b", "c"].map((content) => ({ role: "user", content }) as const);
    sessions.append("s", messages, 1);
    sessions.append("t", messages.slice(0, 1), 1);
    expect(sessions.history("s", 2).map(({ content }) => content)).toEqual(["b", "c"]);
    expect(sessions.history("other", 2)).toEqual([]);
  });

  test("history() keeps calls, results and any text as they were", () => {
    const sessions = createSessionStore(openStore(":memory:"));
    const messages = [
      {
        role: "assistant",
        content: "\u0000 '\";-- 中 \ud83d",
        toolCalls: [{ id: "1", name: "n", arguments: "{" }],
      },
      { role: "tool", toolCallId: "1", content: "" },
    ] as const;
    sessions.append("s", messages, 1);
    expect(sessions.history("s", 9)).toEqual(messages);
  });
});
