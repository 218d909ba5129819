import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConversation } from "../../src/agent/conversation.ts";
import { closeInterrupted } from "../../src/agent/run-approved.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { ANNA, collectReply, withTools } from "../agent/scene.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { lastSent, play, spy } from "./attack-scene.ts";

test("kill -9 between the press and the result: never twice, and the person is told what happened", async () => {
  using temp = tempDir();
  const home = join(temp.path, "home");
  const ran = join(temp.path, "ran");
  writeTree(temp.path, {
    "config.toml": '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n',
    "notes/a.txt": "a\n",
  });
  const script = Bun.fileURLToPath(import.meta.resolve("./kill-child.ts"));
  await using child = Bun.spawn([process.execPath, script, temp.path, home, ran], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("running")) break;
  }
  child.kill("SIGKILL");
  await child.exited;
  const ref = said.split("\n")[0] ?? "";

  const env = { PAPAYU_HOME: home };
  const loaded = await loadConfig({ path: "config.toml", cwd: temp.path, home, env });
  const model = play("told");
  using app = createApp(loaded, { env, cwd: temp.path, writeLog: () => {}, provider: model });
  expect(await closeInterrupted(app.current.agent.turns)).toMatchObject([
    { approvalId: ref, tool: "act" },
  ]);
  expect(await closeInterrupted(app.current.agent.turns)).toEqual([]);
  const tool = spy("act", "change");
  const conversation = createConversation(withTools(app.current.agent, [tool]));
  for (const act of ["approve", "reject"] as const) {
    const pressed = await collectReply((emit) => conversation.press(ANNA, { act, ref }, emit));
    expect(pressed.last("error").message).toContain("stopped while it ran");
  }
  await collectReply((emit) => conversation.message(ANNA, "what happened?", emit));
  expect(lastSent(model.asked[0], "tool")).toContain("whether it took effect is not known");
  expect(tool.runs).toEqual([]);
  expect(readFileSync(ran, "utf8")).toBe("run\n");
});
