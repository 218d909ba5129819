import { describe, expect, test } from "bun:test";
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
    bench.works.set("http:mine", { state: "ended", outcomes: [OUTCOME], sessionIds: ["http:s"] });
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
  const headers = { "idempotency-key": "mine" };

  test("of what has ended does nothing again and answers with how it ended", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "ended", outcomes: [OUTCOME], sessionIds: ["http:s"] });
    const response = await bench.post("/api/chat", { message: "apply" }, { headers });
    const data = await dataOf(response);
    expect(data.at(-1)).toBe("[DONE]");
    expect(data[0]).toContain("tx_1");
    expect(bench.heard).toEqual([]);
    expect(response.headers.get("x-work-id")).toBe("mine");
  });

  test("of another session's request is refused; without a session it is the one sent again", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "ended", outcomes: [OUTCOME], sessionIds: ["http:s"] });
    const of = (session: object) =>
      bench.post("/api/chat", { message: "hi", ...session }, { headers });
    const other = await of({ session_id: "other" });
    expect(other.status).toBe(409);
    expect(await other.text()).not.toContain("tx_1");
    expect((await dataOf(await of({ session_id: "s" })))[0]).toContain("tx_1");
    expect((await dataOf(await of({})))[0]).toContain("tx_1");
    expect(bench.heard).toEqual([]);
  });

  test("of what runs is refused", async () => {
    await using bench = await openBench();
    bench.works.set("http:mine", { state: "running" });
    expect((await bench.post("/api/chat", { message: "apply" }, { headers })).status).toBe(409);
    expect(bench.heard).toEqual([]);
  });

  test.each(["", "a b", "x".repeat(65), "../x"])("is refused as %p", async (key) => {
    await using bench = await openBench();
    const other = { "idempotency-key": key };
    expect((await bench.post("/api/chat", { message: "hi" }, { headers: other })).status).toBe(400);
  });
});
