import { describe, expect, test } from "bun:test";
import type { WorkState } from "../../../src/channels/channel.ts";
import { dataOf, openBench } from "./bench.ts";

const OUTCOME = {
  ok: true,
  status: "committed",
  workspace: "ws",
  txId: "tx_1",
  changes: [
    { path: "a", kind: "create", before_sha256: null, after_sha256: null, added: 1, removed: 0 },
  ],
} as const;

describe("GET /api/work/ID", () => {
  test("says what became of a request by the key that the client gave it", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "ended", outcomes: [OUTCOME] });
    const report = { ok: true, work_id: "mine", state: "ended" };
    expect(await (await bench.call("/api/work/mine")).json()).toEqual({
      ...report,
      outcomes: [{ ok: true, status: "committed", workspace: "ws", tx_id: "tx_1", paths: ["a"] }],
    });
    expect(await (await bench.call("/api/work/other")).json()).toEqual({
      ok: true,
      work_id: "other",
      state: "unknown",
    });
  });

  test("knows no work of another channel", async () => {
    await using bench = await openBench();
    bench.works.set("terminal:1", { state: "ended", outcomes: [OUTCOME] });
    const report = await (await bench.call("/api/work/terminal:1")).json();
    expect(report).toMatchObject({ state: "unknown" });
  });

  test("says that a call may have run that was cut off", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "unknown", mayHaveRun: true });
    const report = await (await bench.call("/api/work/mine")).json();
    expect(report).toEqual({ ok: true, work_id: "mine", state: "unknown", may_have_run: true });
  });

  test("names the question that came of a request as its event does", async () => {
    await using bench = await openBench();
    const question = { approvalId: "ap_1", isWaiting: true } as const;
    const about = { kind: "change_set", planId: "plan_1", changeSetId: "c1" } as const;
    bench.works.set("http:mine", { state: "unknown", question: { ...question, about } });
    const head = { ok: true, work_id: "mine", state: "unknown" };
    const named = { approval_id: "ap_1", plan_id: "plan_1", change_set_id: "c1", waiting: true };
    expect(await (await bench.call("/api/work/mine")).json()).toEqual({ ...head, approval: named });
    const call = { ...question, about: { kind: "tool_call", tool: "git" } } as const;
    bench.works.set("http:mine", { state: "running", question: { ...call, isWaiting: false } });
    expect(await (await bench.call("/api/work/mine")).json()).toEqual({
      ...head,
      state: "running",
      approval: { approval_id: "ap_1", tool: "git", waiting: false },
    });
  });

  test("needs the token, as all else does", async () => {
    await using bench = await openBench();
    const headers = { authorization: "Bearer no" };
    expect((await bench.call("/api/work/mine", { headers })).status).toBe(401);
  });

  test("knows a request by the id that its answer had", async () => {
    await using bench = await openBench();
    const response = await bench.post("/api/chat", { message: "hi" });
    const id = response.headers.get("x-work-id") ?? "";
    await response.text();
    expect(await (await bench.call(`/api/work/${id}`)).json()).toMatchObject({ state: "running" });
  });
});

describe("Idempotency-Key", () => {
  test.each([".", ".."])("%s is refused: no address could ask for it", async (key) => {
    await using bench = await openBench();
    const headers = { "idempotency-key": key };
    const response = await bench.post("/api/chat", { message: "hi" }, { headers });
    expect([response.status, bench.received.length]).toEqual([400, 0]);
    expect(await response.text()).toContain("more than one or two dots");
  });

  test.each(["...", ".a", "a..", "-", ":"])("%s can be asked for", async (key) => {
    await using bench = await openBench();
    const headers = { "idempotency-key": key };
    await dataOf(await bench.post("/api/chat", { message: "hi" }, { headers }));
    const found = await (await bench.call(`/api/work/${key}`)).json();
    expect(found).toMatchObject({ work_id: key });
  });

  const headers = { "idempotency-key": "mine" };

  test("of what has ended does nothing again and answers with how it ended", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "ended", outcomes: [OUTCOME] });
    const response = await bench.post("/api/chat", { message: "apply" }, { headers });
    const data = await dataOf(response);
    expect(data.at(-1)).toBe("[DONE]");
    expect(data[0]).toContain("tx_1");
    expect(bench.received).toEqual([]);
    expect(response.headers.get("x-work-id")).toBe("mine");
  });

  /** What the channel hands on with a request, before anything is done for it. */
  async function openAsked(body: object, end: WorkState) {
    const bench = await openBench();
    await dataOf(await bench.post("/api/chat", body, { headers }));
    const asked = bench.asked.get("http:mine");
    if (!asked) throw new Error("nothing was asked");
    bench.works.set("http:mine", { ...end, asked });
    return bench;
  }
  const ENDED: WorkState = { state: "ended", outcomes: [OUTCOME] };

  test("of another session's request is refused; without a session it is the one sent again", async () => {
    await using bench = await openAsked({ message: "hi", session_id: "s" }, ENDED);
    const of = (session: object) =>
      bench.post("/api/chat", { message: "hi", ...session }, { headers });
    const other = await of({ session_id: "other" });
    expect(other.status).toBe(409);
    expect(await other.text()).not.toContain("tx_1");
    expect((await dataOf(await of({ session_id: "s" })))[0]).toContain("tx_1");
    expect((await dataOf(await of({})))[0]).toContain("tx_1");
    expect(bench.received).toHaveLength(1);
  });

  test.each([
    ["/api/chat", { message: "hi" }],
    ["/api/press", { act: "approve", ref: "ap_1" }],
  ])("of a request that is done anew goes on in its conversation: %s", async (path, body) => {
    for (const first of [{ session_id: "s" }, {}]) {
      await using bench = await openBench();
      /** It ends without a change, and the agent knows whose it was last. */
      const send = async (session: object) => {
        await dataOf(await bench.post(path, { ...body, ...session }, { headers }));
        const sessionId = sessions().at(-1) ?? "";
        const digest = bench.asked.get("http:mine")?.digest ?? "";
        bench.works.set("http:mine", { state: "unknown", asked: { sessionId, digest } });
      };
      const sessions = () =>
        [...bench.received, ...bench.presses].map(({ speaker }) => speaker.sessionId);
      await send(first);
      await send({});
      await send(first);
      expect(sessions()).toHaveLength(3);
      expect(new Set(sessions()).size).toBe(1);
    }
  });

  test.each<WorkState>([ENDED, { state: "running" }, { state: "unknown" }])(
    "with another body is refused, whatever became of the first one: %j",
    async (end) => {
      await using bench = await openAsked({ message: "hi", session_id: "s" }, end);
      const others: readonly (readonly [string, object])[] = [
        ["/api/chat", { message: "hi " }],
        ["/api/chat", { message: "delete all" }],
        ["/api/press", { act: "undo", ref: "hi" }],
      ];
      for (const [path, body] of others) {
        const refused = await bench.post(path, { ...body, session_id: "s" }, { headers });
        expect(refused.status).toBe(422);
        expect(await refused.json()).toMatchObject({
          ok: false,
          error: expect.stringContaining("another body"),
        });
      }
      expect([bench.received.length, bench.presses.length]).toEqual([1, 0]);
    },
  );

  test("of one press is no other press's", async () => {
    await using bench = await openBench();
    const press = (act: string) =>
      bench.post("/api/press", { act, ref: "ap_1", session_id: "s" }, { headers });
    await dataOf(await press("approve"));
    const asked = bench.asked.get("http:mine");
    bench.works.set("http:mine", { state: "unknown", ...(asked && { asked }) });
    expect((await press("reject")).status).toBe(422);
    await dataOf(await press("approve"));
    expect(bench.presses.map(({ press: { act } }) => act)).toEqual(["approve", "approve"]);
  });

  test("of what runs is refused", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "running" });
    expect((await bench.post("/api/chat", { message: "apply" }, { headers })).status).toBe(409);
    expect(bench.received).toEqual([]);
  });

  test.each(["", "a b", "x".repeat(65), "../x"])("is refused as %p", async (key) => {
    await using bench = await openBench();
    const other = { "idempotency-key": key };
    expect((await bench.post("/api/chat", { message: "hi" }, { headers: other })).status).toBe(400);
  });
});
