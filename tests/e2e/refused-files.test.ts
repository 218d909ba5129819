import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { readFiles } from "../support/read-files.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;

/** A daemon that speaks Russian, with a phone. */
async function open(root: string, autonomy: string) {
  await using cleanup = new AsyncDisposableStack();
  const api = cleanup.use(await startBotApi());
  writeTree(join(root, "notes"), { "a.txt": "x" });
  const config = `${phoneConfig("http://127.0.0.1:9", api.url, OWNER)}[security]
autonomy = "${autonomy}"
[http]
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
`.replace("[default]", '[default]\nlanguage = "ru"');
  const sandbox = createSandbox(root, config, { TELEGRAM_BOT_TOKEN: api.token });
  cleanup.use(await sandbox.host());
  const [, port] = /http: \D*(\d+)/u.exec((await sandbox.run("status")).stdout) ?? [];
  const resources = cleanup.move();
  return {
    api,
    token: async () => (await Bun.file(join(sandbox.home, "http.token")).text()).trim(),
    url: (name: string) =>
      `http://127.0.0.1:${port}/api/files?session_id=one&name=${encodeURIComponent(name)}`,
    send(name: string) {
      api.files.set(name, { path: `documents/${name}`, content: Buffer.from("x") });
      const document = { file_id: name, file_unique_id: name, file_name: name, file_size: 1 };
      api.say(OWNER, "", { text: undefined, document });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

test("a file that is not saved is refused in the person's language, on the phone and by the API", async () => {
  using dir = tempDir();
  await using scene = await open(dir.path, "readonly");
  scene.send("a.pdf");
  await scene.api.waitForText("Файлы не сохраняются, пока security.autonomy: readonly");
  const headers = { authorization: `Bearer ${await scene.token()}` };
  const said = await fetch(scene.url("a.pdf"), { method: "POST", headers, body: "x" });
  expect([said.status, await said.json()]).toEqual([
    422,
    { ok: false, error: "Файлы не сохраняются, пока security.autonomy: readonly" },
  ]);
  expect(readFiles(join(dir.path, "notes"))).toEqual({ "a.txt": "x" });
});

test("a file for a folder that is gone is refused with what became of the folder", async () => {
  using dir = tempDir();
  await using scene = await open(dir.path, "supervised");
  rmSync(join(dir.path, "notes"), { recursive: true });
  scene.send("a.pdf");
  await scene.api.waitForText("notes");
  const [answer = ""] = scene.api.texts();
  expect(answer).toMatch(/\p{Script=Cyrillic}{3}/u);
  expect(answer).not.toContain("Cannot");
});
