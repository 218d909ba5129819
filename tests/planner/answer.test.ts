import { describe, expect, test } from "bun:test";
import type { Log } from "../../src/core/log.ts";
import { answerWithRepair, createCallRecord, type Verdict } from "../../src/planner/answer.ts";
import type { Author, AuthorRequest } from "../../src/planner/author.ts";
import { silentLog } from "../support/silent-log.ts";

const usage = { inputTokens: 10, outputTokens: 1 };

function scripted(...texts: string[]): Author & { readonly asked: AuthorRequest[] } {
  const asked: AuthorRequest[] = [];
  return {
    name: "scripted",
    model: "m",
    strictJson: false,
    tokenBudget: 0,
    asked,
    async answer(request) {
      asked.push(request);
      return { ok: true, text: texts[asked.length - 1] ?? "none left", usage };
    },
  };
}

const request: AuthorRequest = {
  mode: "plan",
  version: 2,
  goal: "g",
  workspace: {
    name: "w",
    root: "/w",
    check: "none",
    checkTimeoutMs: 1,
    maxActions: 0,
    protectedPaths: [],
  },
  messages: [{ role: "user", content: "q" }],
  signal: new AbortController().signal,
};

const withAuthor = (author: Author, log: Log = silentLog) => ({
  author,
  check: "warn" as const,
  fallback: true,
  log,
});

const wantsGood = async (text: string): Promise<Verdict<string>> =>
  text === "good"
    ? { ok: true, value: text }
    : { ok: false, code: "ERR_JSON_PARSE", message: "bad", instruction: "say good" };

describe("answerWithRepair()", () => {
  test("asks once when the answer is good", async () => {
    const author = scripted("good");
    const record = createCallRecord(2);
    expect(await answerWithRepair(withAuthor(author), request, wantsGood, record)).toEqual({
      ok: true,
      value: "good",
    });
    expect(record).toMatchObject({
      requests: 1,
      repair: { first: undefined },
      usage: { inputTokens: 10 },
    });
  });

  test("sends a bad answer back once, with what is wrong", async () => {
    const author = scripted("bad", "good");
    const record = createCallRecord(2);
    const verdict = await answerWithRepair(withAuthor(author), request, wantsGood, record);
    expect(verdict.ok).toBe(true);
    expect(author.asked[1]?.messages.at(-1)?.content).toContain("say good");
    expect(record).toMatchObject({
      requests: 2,
      repair: { first: "ERR_JSON_PARSE" },
      usage: { inputTokens: 20 },
    });
  });

  test("returns the failure of the repaired answer and asks no third time", async () => {
    const author = scripted("bad", "worse", "good");
    const verdict = await answerWithRepair(
      withAuthor(author),
      request,
      wantsGood,
      createCallRecord(2),
    );
    expect(verdict).toMatchObject({ ok: false, code: "ERR_JSON_PARSE" });
    expect(author.asked).toHaveLength(2);
  });

  test("repairs once in all the rounds that share a record", async () => {
    const author = scripted("bad", "good", "bad", "good");
    const record = createCallRecord(2);
    await answerWithRepair(withAuthor(author), request, wantsGood, record);
    const second = await answerWithRepair(withAuthor(author), request, wantsGood, record);
    expect(second.ok).toBe(false);
    expect(author.asked).toHaveLength(3);
  });

  test("logs VALIDATION_FAILED for an answer that was evaluated, not for one that never came", async () => {
    const events: string[] = [];
    const log: Log = (event, fields) => events.push(`${event} ${fields?.["code"]}`);
    const record = createCallRecord(2);
    await answerWithRepair(withAuthor(scripted("bad", "bad"), log), request, wantsGood, record);
    expect(events).toEqual([
      "VALIDATION_FAILED ERR_JSON_PARSE",
      "LLM_RESPONSE_REPAIR ERR_JSON_PARSE",
      "VALIDATION_FAILED ERR_JSON_PARSE",
    ]);
    events.length = 0;
    const silent: Author = {
      ...scripted(),
      answer: async () => ({ ok: false, code: "LLM_REQUEST", message: "refused" }),
    };
    const verdict = await answerWithRepair(
      withAuthor(silent, log),
      request,
      wantsGood,
      createCallRecord(2),
    );
    expect(verdict).toMatchObject({ ok: false, code: "LLM_REQUEST" });
    expect(events).toEqual([]);
  });

  test("does not repair what a second answer cannot fix", async () => {
    const author = scripted("bad", "good");
    const hopeless = async (): Promise<Verdict<string>> => ({
      ok: false,
      code: "ERR_BASE_MISMATCH",
      message: "gone",
    });
    await answerWithRepair(withAuthor(author), request, hopeless, createCallRecord(2));
    expect(author.asked).toHaveLength(1);
  });
});
