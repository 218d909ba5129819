import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon } from "../../src/cli/daemon-client.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;
const ROUTINE = `[[routines.jobs]]
name = "other"
schedule = "0 8 1 1 *"
mode = "ask"
task = "other"
channel = "none"
trigger_secret = "env:HOOK"
`;

test("a message that is under way while a program, a terminal or a routine ends the daemon is not blamed as if it were alone", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  await using bot = await startBotApi();
  let life = 1;
  const asked: string[] = [];
  await using model = startModelServer(({ body }) => {
    const said = String(body.messages.findLast(({ role }) => role === "user")?.content);
    const who = said.includes("other") ? "other" : "innocent";
    asked.push(who);
    return who === "innocent" && life === 4
      ? { kind: "text", text: "here I am" }
      : { kind: "hang" };
  });
  const config = `${phoneConfig(model.url, bot.url, OWNER)}[http]\nport = 0\n`;
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const env = { TELEGRAM_BOT_TOKEN: bot.token, HOOK: "open sesame" };
  const sandbox = createSandbox(dir.path, `${config}${workspace}${ROUTINE}`, env);

  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const { stdout } = await sandbox.run("status");
    const [, port] = /http: listening, port (\d+)/.exec(stdout) ?? [];
    const url = `http://127.0.0.1:${port}${path}`;
    // The daemon dies before it answers.
    void fetch(url, { method: "POST", headers, body })
      .then((response) => response.text())
      .catch(() => "");
  };
  /** What ends the daemon in each of its lives. */
  const ways = [
    () => {
      const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
      const body = JSON.stringify({ session_id: "e2e", message: "other" });
      return post("/api/chat", { authorization: `Bearer ${token}` }, body);
    },
    async () => {
      const client = await connectDaemon(join(sandbox.home, "daemon.sock"));
      client?.send({ type: "message", session_id: "terminal:1", content: "other" });
    },
    () => post("/api/routines/other/trigger", { "x-trigger-secret": "open sesame" }, "other"),
  ];
  const blame = () => {
    using store = openStore(join(sandbox.home, "state.db"));
    return store.query("SELECT state, tries, blame FROM inbox").values();
  };

  for (const begin of ways) {
    asked.length = 0;
    const daemon = await sandbox.start();
    const isAsked = (who: string) => until(() => asked.includes(who));
    if (life === 1) {
      await begin();
      await isAsked("other");
      bot.say(OWNER, "innocent");
      await isAsked("innocent");
    } else {
      await isAsked("innocent"); // it is taken up at once: the other one joins it
      await begin();
      await isAsked("other");
    }
    daemon.kill("SIGKILL");
    await daemon.exited;
    expect(blame()).toEqual([["waiting", life, life]]);
    life++;
  }
  await using _daemon = await sandbox.start();
  await bot.waitForText("here I am");
  expect(bot.texts(OWNER).filter((text) => text.includes("aside"))).toEqual([]);
});
