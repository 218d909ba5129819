import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon } from "../../src/cli/daemon-client.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const CALL = { name: "run_command", arguments: { argv: ["sh", "wait.sh"] } };

/** A home whose model wants a command run that goes on for long. */
function prepare(dir: string, language: string, modelUrl: string) {
  writeTree(join(dir, "notes"), { "wait.sh": "touch began; sleep 600\n" });
  const config = `[default]
provider = "local"
language = "${language}"
[providers.local]
base_url = "${modelUrl}"
model = "scripted"
[http]
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`;
  return createSandbox(dir, config);
}

const startModel = () =>
  startModelServer(({ body: { messages } }) => {
    const isAsked = messages.some(({ role }) => role === "tool");
    return isAsked ? { kind: "text", text: "It waits." } : { kind: "tools", calls: [CALL] };
  });
const untilBegun = (dir: string) => until(() => existsSync(join(dir, "notes/began")));

describe.concurrent("a press that is cut off while the call it allowed runs", () => {
  test("may have run, says papa-yu of its key after a crash", async () => {
    using dir = tempDir();
    await using model = startModel();
    const sandbox = prepare(dir.path, "en", model.url);
    const send = async (path: string, body?: object, key = "") => {
      const { stdout } = await sandbox.run("status");
      const [, port] = /http: listening, port (\d+)/.exec(stdout) ?? [];
      const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
      const headers = { authorization: `Bearer ${token}`, ...(key && { "idempotency-key": key }) };
      const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
      return fetch(`http://127.0.0.1:${port}${path}`, init);
    };
    const daemon = await sandbox.start();
    const asked = await (await send("/api/chat", { session_id: "s", message: "run it" })).text();
    const [, ref] = /"approval_id":"(ap_\w+)"/.exec(asked) ?? [];
    const pressed = await send("/api/press", { session_id: "s", act: "approve", ref }, "mine");
    const cutOff = pressed.text().catch(() => "");
    await untilBegun(dir.path);
    expect(await (await send("/api/work/mine")).json()).toMatchObject({ state: "running" });
    daemon.kill("SIGKILL");
    await Promise.all([daemon.exited, cutOff]);
    await using _next = await sandbox.host();
    const report: unknown = await (await send("/api/work/mine")).json();
    const known = { ok: true, work_id: "mine", state: "unknown", received: true };
    expect(report).toEqual({ ...known, may_have_run: true });
    expect(await (await send("/api/work/other")).json()).not.toHaveProperty("may_have_run");
  });

  test.each([
    ["en", "run_command was running, and whether it took effect is not known"],
    ["ru", "работало: run_command; подействовало ли, неизвестно"],
    ["zh", "当时正在运行：run_command，是否生效未知"],
  ])("may have run, is said at a stop in %s", async (language, words) => {
    using dir = tempDir();
    await using model = startModel();
    const sandbox = prepare(dir.path, language, model.url);
    await using daemon = await sandbox.host();
    using client = await connectDaemon(join(sandbox.home, "daemon.sock"));
    client?.send({ type: "message", session_id: "s", content: "run it" });
    let stopped: Promise<unknown> | undefined;
    const errors: string[] = [];
    for await (const line of client?.lines ?? []) {
      if (line.type === "error") errors.push(line.message);
      if (line.type !== "confirm") continue;
      client?.send({ type: "confirm_response", request_id: line.request_id, approved: true });
      await untilBegun(dir.path);
      stopped = daemon.stop();
    }
    await stopped;
    expect(errors).toEqual([expect.stringContaining(words)]);
  });
});
