import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GOAL, playRename, projectOf } from "../planner/series/series-scene.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

/** A daemon with a project, and the way to its API. */
async function open(root: string, more = "") {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(startModelServer(playRename));
  writeTree(join(root, "notes"), projectOf(30));
  const config = `[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
[http]
port = 0
${more}[[workspaces]]
name = "notes"
path = "./notes"
check = false
max_actions = 10
`;
  const sandbox = createSandbox(root, config);
  const daemon = cleanup.use(await sandbox.host());
  const [, port] = /http: \D*(\d+)/u.exec((await sandbox.run("status")).stdout) ?? [];
  const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  const url = `http://127.0.0.1:${port}`;
  const resources = cleanup.move();
  return {
    sandbox,
    daemon,
    url,
    get: (path: string) => fetch(url + path, { headers }),
    async post(path: string, body: object) {
      const sent = JSON.stringify({ session_id: "one", ...body });
      return (await fetch(url + path, { method: "POST", headers, body: sent })).text();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

test("a change in parts is still to be read when all of it is made", async () => {
  using dir = tempDir();
  await using scene = await open(dir.path);
  await scene.post("/api/chat", { message: `plan: ${GOAL}` });
  const asked = await scene.post("/api/chat", { message: "ok" });
  const [, ref] = /"approval_id":"(ap_\w+)"/u.exec(asked) ?? [];
  const path = `/api/change-sets/${ref}`;
  expect(await (await scene.get(path)).json()).toMatchObject({ ok: true, state: "waiting" });
  expect(await scene.post("/api/press", { act: "approve", ref })).toContain("Applied");
  const made = await scene.get(path);
  expect([made.status, await made.json()]).toEqual([
    200,
    expect.objectContaining({ ok: true, approval_id: ref, state: "approved" }),
  ]);
  expect(scene.daemon.log()).not.toContain("HTTP_DEFECT");
});

test("where Telegram cannot bring anybody a page is told so, and nothing of what is configured", async () => {
  using dir = tempDir();
  await using scene = await open(dir.path, 'public_url = "https://papayu.example.org"\n');
  const said = await fetch(`${scene.url}/api/app/login`, {
    method: "POST",
    headers: { host: "papayu.example.org", origin: "https://papayu.example.org" },
    body: '{"init_data": "x"}',
  });
  expect([said.status, await said.json()]).toEqual([
    403,
    { ok: false, error: "there is no bot whose people could come in" },
  ]);
  expect(scene.daemon.log()).not.toContain("HTTP_DEFECT");
});

test("what the machine keeps papa-yu from is told to its owner as what it is", async () => {
  using dir = tempDir();
  await using scene = await open(dir.path);
  await scene.post("/api/chat", { message: `plan: ${GOAL}` });
  rmSync(join(dir.path, "notes"), { recursive: true });
  for (const path of ["/api/workspaces/notes", "/api/report", "/api/traces", "/api/inbox"]) {
    const { status } = await scene.get(path);
    expect([path, status]).not.toEqual([path, 500]);
  }
  expect(scene.daemon.log()).not.toContain("HTTP_DEFECT");
});
