import { describe, expect, test } from "bun:test";
import { type Log, silentLog } from "../../src/core/log.ts";
import { answerWithRepair, createCallRecord, type Verdict } from "../../src/planner/answer.ts";
import type { Author, AuthorRequest } from "../../src/planner/author.ts";

const usage = { inputTokens: 10, outputTokens: 1 };

function scripted(...texts: string[]): Author & { readonly asked: AuthorRequest[] } {
  const asked: AuthorRequest[] = [];
  return {
    name: "scripted",
    model: "m",
    asked,
    async answer(request) {
      asked.push(request);
      return { ok: true, text: texts[asked.length - 1] ?? "none left", usage };
    },
  };
}

const request: AuthorRequest = {
  mode: "plan",
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

const wantsGood = async (text: string): Promise<Verdict<string>> =>
  text === "good"
    ? { ok: true, value: text }
    : { ok: false, code: "ERR_JSON_PARSE", message: "bad", instruction: "say good" };

describe("answerWithRepair()", () => {
  test("asks once when the answer is good", async () => {
    const author = scripted("good");
    const record = createCallRecord();
    expect(await answerWithRepair(author, request, wantsGood, record, silentLog)).toEqual({
      ok: true,
      value: "good",
    });
    expect(record).toMatchObject({ repairs: 0, inputTokens: 10 });
  });

  test("sends a bad answer back once, with what is wrong", async () => {
    const author = scripted("bad", "good");
    const record = createCallRecord();
    const verdict = await answerWithRepair(author, request, wantsGood, record, silentLog);
    expect(verdict.ok).toBe(true);
    expect(author.asked[1]?.messages.at(-1)?.content).toContain("say good");
    expect(record).toMatchObject({ repairs: 1, inputTokens: 20 });
  });

  test("returns the failure of the repaired answer and asks no third time", async () => {
    const author = scripted("bad", "worse", "good");
    const verdict = await answerWithRepair(
      author,
      request,
      wantsGood,
      createCallRecord(),
      silentLog,
    );
    expect(verdict).toMatchObject({ ok: false, code: "ERR_JSON_PARSE" });
    expect(author.asked).toHaveLength(2);
  });

  test("repairs once in all the rounds that share a record", async () => {
    const author = scripted("bad", "good", "bad", "good");
    const record = createCallRecord();
    await answerWithRepair(author, request, wantsGood, record, silentLog);
    const second = await answerWithRepair(author, request, wantsGood, record, silentLog);
    expect(second.ok).toBe(false);
    expect(author.asked).toHaveLength(3);
  });

  test("logs VALIDATION_FAILED for an answer that was judged, not for one that never came", async () => {
    const events: string[] = [];
    const log: Log = (event, fields) => events.push(`${event} ${fields?.["code"]}`);
    const record = createCallRecord();
    await answerWithRepair(scripted("bad", "bad"), request, wantsGood, record, log);
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
    const verdict = await answerWithRepair(silent, request, wantsGood, createCallRecord(), log);
    expect(verdict).toMatchObject({ ok: false, code: "LLM_REQUEST" });
    expect(events).toEqual([]);
  });

  test("does not repair what a second answer cannot mend", async () => {
    const author = scripted("bad", "good");
    const hopeless = async (): Promise<Verdict<string>> => ({
      ok: false,
      code: "ERR_BASE_MISMATCH",
      message: "gone",
    });
    await answerWithRepair(author, request, hopeless, createCallRecord(), silentLog);
    expect(author.asked).toHaveLength(1);
  });
});
