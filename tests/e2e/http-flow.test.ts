import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

test("over the local HTTP API: plan, diff, approval, result and undo, for who has the token", async () => {
  using dir = tempDir();
  const notes = join(dir.path, "notes");
  writeTree(notes, { "a.txt": "x\n" });
  const config = `[http]\nport = 0\n[[workspaces]]\nname = "notes"\npath = "${notes}"\ncheck = false\n`;
  const sandbox = createSandbox(dir.path, config);
  await using _daemon = await sandbox.host();
  const { stdout } = await sandbox.run("status");
  const [, port] = /http: listening, port (\d+)/.exec(stdout) ?? [];
  const tokenPath = join(dir.path, "home/.papa-yu/http.token");
  expect((statSync(tokenPath).mode & 0o777).toString(8)).toBe("600");
  const authorization = `Bearer ${readFileSync(tokenPath, "utf8").trim()}`;
  const post = async (path: string, body: object, key: string = crypto.randomUUID()) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { authorization, "idempotency-key": key },
      body: JSON.stringify({ session_id: "e2e", ...body }),
    });
    return response.text();
  };
  const before = readTree(notes);
  expect(await post("/api/chat", { message: "plan: add what a newcomer would miss" })).toContain(
    '"plan":{"plan_id":"plan_',
  );
  const asked = await post("/api/chat", { message: "ok" }, "asks");
  const [, ref] = /"approval_id":"(ap_\w+)"/.exec(asked) ?? [];
  // Who lost the answer asks what became of the request.
  const workOf = async (key: string): Promise<unknown> => {
    const at = `http://127.0.0.1:${port}/api/work/${key}`;
    return (await fetch(at, { headers: { authorization } })).json();
  };
  expect(await workOf("asks")).toMatchObject({ approval: { approval_id: ref, waiting: true } });
  expect(readTree(notes)).toEqual(before);
  const applied = await post("/api/press", { act: "approve", ref }, "approves");
  expect(await workOf("asks")).toMatchObject({ approval: { approval_id: ref, waiting: false } });
  expect(await workOf("approves")).not.toHaveProperty("approval");
  expect(applied).toContain("✓ Applied in notes");
  expect(applied).toEndWith("data: [DONE]\n\n");
  expect(readTree(notes)).not.toEqual(before);
  expect(await post("/api/press", { act: "approve", ref })).toContain("approved already");
  expect(await post("/api/chat", { message: "undo" })).toContain("✓ Undone in notes");
  expect(readTree(notes)).toEqual(before);
});

test("a webhook runs its routine, for its own secret only", async () => {
  using dir = tempDir();
  const notes = join(dir.path, "notes");
  writeTree(notes, { "a.txt": "x\n" });
  const config = `[http]
port = 0
[[workspaces]]
name = "notes"
path = "${notes}"
check = false
[[routines.jobs]]
name = "on-call"
schedule = "0 8 29 2 *"
workspace = "notes"
task = "add what a newcomer would miss"
channel = "none"
trigger_secret = "env:HOOK"
`;
  const sandbox = createSandbox(dir.path, config, { HOOK: "open sesame" });
  await using daemon = await sandbox.host();
  const [, port] = /http: listening, port (\d+)/.exec((await sandbox.run("status")).stdout) ?? [];
  const post = async (secret: string, more: Record<string, string> = {}, name = "on-call") => {
    const response = await fetch(`http://127.0.0.1:${port}/api/routines/${name}/trigger`, {
      method: "POST",
      headers: { "x-trigger-secret": secret, ...more },
      body: "disk is full",
    });
    return response.status;
  };
  expect(await post("wrong")).toBe(401);
  expect(await post("open sesame", {}, "nope")).toBe(401);
  expect(await post("open sesame", { host: "evil.example" })).toBe(421);
  expect(await post("open sesame", { origin: "https://evil.example" })).toBe(403);
  expect(await post("open sesame")).toBe(202);
  await daemon.waitForLog(/ROUTINE_DONE routine=on-call state=ok/);
  const { report } = await sandbox.json("routine", "logs", "on-call");
  expect(report).toMatchObject([{ state: "ok", output: expect.stringContaining("README") }]);
});
