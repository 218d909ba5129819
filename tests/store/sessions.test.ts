import { describe, expect, test } from "bun:test";
import { createSessionStore, type SessionHistory } from "../../src/store/sessions.ts";
import { memoryStore } from "../support/fresh-store.ts";

function texts({ messages }: SessionHistory): readonly string[] {
  return messages.map(({ message }) => message.content);
}

describe("createSessionStore()", () => {
  test("update() leaves what is not named and clears with null", () => {
    const sessions = createSessionStore(memoryStore());
    expect(sessions.state("s")).toEqual({});
    sessions.update("s", "u", { workspace: "w", planId: "p" }, 1);
    sessions.update("s", "u", { planId: null }, 2);
    expect(sessions.state("s")).toEqual({ workspace: "w", userId: "u" });
    sessions.update("s", "v", { planId: "q" }, 3);
    expect(sessions.state("s")).toEqual({ workspace: "w", planId: "q", userId: "v" });
    expect(sessions.count()).toBe(1);
  });

  test("keeps what is known of each session apart", () => {
    const sessions = createSessionStore(memoryStore());
    for (const id of ["s", "t"]) {
      sessions.update(id, `user of ${id}`, { workspace: `w of ${id}` }, 1);
      sessions.append(id, [{ role: "user", content: "said" }], 1);
      sessions.summarise(id, `of ${id}`, 0);
    }
    for (const id of ["s", "t"]) {
      expect(sessions.state(id)).toEqual({ workspace: `w of ${id}`, userId: `user of ${id}` });
      expect(sessions.history(id, 9).summary).toBe(`of ${id}`);
    }
  });

  test("below() gives the conversations of a beginning, with messages or without", () => {
    const sessions = createSessionStore(memoryStore());
    const said = [{ role: "user", content: "a" }] as const;
    for (const [id, at] of [
      ["http:b", 5],
      ["http:a", 2],
      ["http:b", 9],
      ["httpx", 1],
      ["http", 1],
      ["terminal:c", 3],
    ] as const) {
      sessions.append(id, said, at);
    }
    sessions.update("http:a", "owner", { planId: "p" }, 7);
    sessions.update("http:d", "owner", { planId: "p" }, 4);
    sessions.update("telegram:1", "telegram:1", { planId: "p" }, 4);
    const found = (prefix: string) =>
      Object.fromEntries(sessions.below(prefix).map(({ sessionId, at }) => [sessionId, at]));
    expect(found("http:")).toEqual({ "http:a": 7, "http:b": 9, "http:d": 4 });
    expect(found("terminal:")).toEqual({ "terminal:c": 3 });
    expect(found("no:")).toEqual({});
  });

  test("messages() goes back page by page over all that is kept, without what failed", () => {
    const sessions = createSessionStore(memoryStore());
    const say = (content: string) => [{ role: "user", content }] as const;
    for (const content of ["a", "b", "c", "d", "e"]) sessions.append("s", say(content), 1);
    sessions.append("s", say("lost"), 1, { turnId: "t", standing: "failed" });
    sessions.append("t", say("other"), 1);
    expect(sessions.first("s")).toEqual({ role: "user", content: "a" });
    expect(sessions.first("nobody")).toBeUndefined();
    const all: string[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = sessions.messages("s", before, 2);
      if (page.length === 0) break;
      all.push(...page.map(({ message }) => message?.content ?? ""));
      before = page.at(-1)?.id ?? 0;
    }
    expect(all).toEqual(["e", "d", "c", "b", "a"]);
  });

  test("history() gives the newest messages, oldest first, of one session", () => {
    const sessions = createSessionStore(memoryStore());
    const messages = ["a", "b", "c"].map((content) => ({ role: "user", content }) as const);
    sessions.append("s", messages, 1);
    sessions.append("t", messages.slice(0, 1), 1);
    expect(texts(sessions.history("s", 2))).toEqual(["b", "c"]);
    expect(sessions.history("other", 2)).toEqual({ messages: [], older: 0 });
    expect([1, 2, 3, 4].map((limit) => sessions.history("s", limit).older)).toEqual([2, 1, 0, 0]);
  });

  test("history() counts what is older behind the summary, without what failed", () => {
    const sessions = createSessionStore(memoryStore());
    const said = (content: string) => [{ role: "user", content }] as const;
    for (const content of ["a", "b", "c", "d"]) sessions.append("s", said(content), 1);
    sessions.append("s", said("lost"), 1, { turnId: "t", standing: "failed" });
    sessions.append("s", said("e"), 1);
    const [first] = sessions.history("s", 9).messages;
    sessions.summarise("s", "of a", first?.id ?? 0);
    const history = sessions.history("s", 1);
    expect([texts(history), history.older]).toEqual([["e"], 3]);
  });

  test("history() keeps calls, results and any text as they were", () => {
    const sessions = createSessionStore(memoryStore());
    const messages = [
      {
        role: "assistant",
        content: "\u0000 '\";-- 中 \ud83d",
        toolCalls: [{ id: "1", name: "n", arguments: "{" }],
      },
      { role: "tool", toolCallId: "1", content: "" },
    ] as const;
    sessions.append("s", messages, 1);
    expect(sessions.history("s", 9).messages.map(({ message }) => message)).toEqual([...messages]);
  });

  test("history() gives a failed message to its own turn alone", () => {
    const sessions = createSessionStore(memoryStore());
    const [asked, failed, answered] = ["asked", "failed", "answered"].map((content) => {
      return { role: "user", content } as const;
    });
    if (!asked || !failed || !answered) throw new Error("three messages");
    sessions.append("s", [asked], 1, { turnId: "t" });
    sessions.append("s", [failed], 2, { turnId: "t", standing: "failed" });
    expect(texts(sessions.history("s", 9, "t"))).toEqual(["asked", "failed"]);
    expect(texts(sessions.history("s", 9, "other"))).toEqual(["asked"]);
    expect(texts(sessions.history("s", 9))).toEqual(["asked"]);
  });

  test("turn() gives all that is kept of a turn, in its session, and whether it is over", () => {
    const sessions = createSessionStore(memoryStore());
    const one = { role: "user", content: "one" } as const;
    sessions.append("s", [one], 5, { turnId: "t" });
    sessions.append("s", [{ ...one, content: "of no turn" }], 6);
    sessions.append("s", [{ ...one, content: "two" }], 7, { turnId: "t", standing: "failed" });
    const messages = [one, { ...one, content: "two" }];
    expect(sessions.turn("s", "t")).toEqual({ startedAt: 5, isOver: false, messages });
    expect(sessions.turn("s", "u")).toBeUndefined();
    expect(sessions.turn("r", "t")).toBeUndefined();
    sessions.append("s", [one], 8, { turnId: "t", standing: "last" });
    expect(sessions.turn("s", "t")?.isOver).toBe(true);
  });

  test("summarise() replaces older messages, the newest summary counts, others' stay", () => {
    const sessions = createSessionStore(memoryStore());
    const messages = ["a", "b", "c"].map((content) => ({ role: "user", content }) as const);
    sessions.append("s", messages, 1);
    sessions.append("t", messages, 1);
    const ids = sessions.history("s", 9).messages.map(({ id }) => id);
    sessions.summarise("s", "first", ids[0] ?? 0);
    sessions.summarise("s", "second", ids[1] ?? 0);
    expect(sessions.history("s", 9)).toMatchObject({ summary: "second" });
    expect(texts(sessions.history("s", 9))).toEqual(["c"]);
    expect(texts(sessions.history("t", 9))).toEqual(["a", "b", "c"]);
  });
});
