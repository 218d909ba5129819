import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { post } from "./matrix/entries.ts";
import { openWorld, unplant } from "./matrix/world.ts";

const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());
const ran = Bun.file(join(world.folder, "ran.txt"));

describe("a tool's question over the local API", () => {
  const CALL = ["run_command", { argv: ["touch", "ran.txt"] }] as const;

  /** Has the model call it in a session; gives the question's id. */
  async function ask(session_id: string): Promise<string> {
    world.begin();
    world.play([CALL], "The person decides.", "It ran.");
    const asked = await (await post(world, "/api/chat", { message: "do it", session_id })).text();
    const [, ref = ""] =
      /"approval":\{"approval_id":"(ap_\w+)","tool":"run_command"/u.exec(asked) ?? [];
    expect(ref).not.toBe("");
    return ref;
  }

  const press = async (body: object, headers = {}) => {
    const response = await post(world, "/api/press", { act: "approve", ...body }, headers);
    return `${response.status} ${await response.text()}`;
  };

  test("runs once after a yes, and the turn goes on in the same answer", async () => {
    const ref = await ask("one");
    expect(world.findHarm()).toEqual([]);
    const answer = await press({ ref, session_id: "one" });
    expect(answer).toMatch(/exit code 0[^]*"It "[^]*"ran\."[^]*data: \[DONE\]\n\n$/u);
    expect(world.findHarm()).toEqual(["changed safe/ran.txt", "stored approvals"]);
    unplant(world.folder, "ran.txt");
    expect(await press({ ref, session_id: "one" })).toContain("it is not run twice");
    expect(await ran.exists()).toBe(false);
  });

  test("runs nothing after a no, nor when it is asked again", async () => {
    const ref = await ask("no");
    expect(await press({ act: "reject", ref, session_id: "no" })).toContain("Nothing was run");
    world.play([CALL], "So be it.");
    const again = await post(world, "/api/chat", { message: "do it", session_id: "no" });
    expect(await again.text()).not.toContain('"approval"');
    expect(world.reported().at(-1)).toContain("said no to this very call");
    expect(world.findHarm()).toEqual(["stored approvals"]);
  });

  test("goes on when the client leaves; what came of it is in the conversation", async () => {
    const ref = await ask("left");
    const before = world.model.requests.length;
    const abort = new AbortController();
    const { httpUrl, httpToken } = world;
    const response = await fetch(`${httpUrl}/api/press`, {
      method: "POST",
      body: JSON.stringify({ act: "approve", ref, session_id: "left" }),
      headers: { authorization: `Bearer ${httpToken}` },
      signal: abort.signal,
    });
    expect(response.status).toBe(200);
    abort.abort();
    const later = await post(world, "/api/chat", { message: "And?", session_id: "left" });
    await later.text();
    // One for the question, one for the turn that goes on.
    await world.api.waitFor(() => world.model.requests.length === before + 2);
    expect(world.reported().at(-1)).toContain("exit code 0");
    unplant(world.folder, "ran.txt");
  });

  test.each<readonly [string, object, Readonly<Record<string, string>>, RegExp]>([
    ["another session's", { session_id: "other" }, {}, /Only the person who was asked/u],
    ["no session's", {}, {}, /Only the person who was asked/u],
    ["who has no token", { session_id: "own" }, { authorization: "" }, /^401 /u],
    ["who has a wrong token", { session_id: "own" }, { authorization: "Bearer x" }, /^401 /u],
    ["a foreign page's", { session_id: "own" }, { origin: "https://evil.example" }, /^403 /u],
    ["a file's", { session_id: "own" }, { origin: "null" }, /^403 /u],
    ["a twin's", { session_id: "own" }, { origin: "http://127.0.0.1.evil.example" }, /^403 /u],
  ])("refuses a press: %s", async (_name, body, headers, truth) => {
    const ref = await ask("own");
    expect(await press({ ref, ...body }, headers)).toMatch(truth);
    expect(world.findHarm()).toEqual([]);
  });

  test("refuses a press that comes too late", async () => {
    const ref = await ask("late");
    world.wait(86_400_001);
    expect(await press({ ref, session_id: "late" })).toContain("expired; nothing was run");
    expect(world.findHarm()).toEqual([]);
  });
});
