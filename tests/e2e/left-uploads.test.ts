import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { readFiles } from "../support/read-files.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

/** Which channels a daemon has besides the terminal: any of them may have been on when it was killed. */
const CHANNELS = [
  { bot: false, http: false },
  { bot: false, http: true },
  { bot: true, http: false },
  { bot: true, http: true },
];

test.each(CHANNELS)("a start with %j removes what a kill left of files", async ({ bot, http }) => {
  using dir = tempDir();
  await using api = await startBotApi();
  const gone = Bun.spawnSync(["true"]).pid;
  const part = `.${gone}-${"a".repeat(12)}.part`;
  for (const name of ["notes", "more"]) {
    writeTree(join(dir.path, name), { "inbox/a.txt": "x", [`inbox/${part}`]: "half" });
  }
  const config = `${phoneConfig("http://127.0.0.1:9", api.url, 501)}[http]
enabled = ${http}
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
[[workspaces]]
name = "more"
path = "./more"
`;
  const sandbox = createSandbox(dir.path, config, bot ? { TELEGRAM_BOT_TOKEN: api.token } : {});
  await using daemon = await sandbox.host();
  for (const name of ["notes", "more"]) {
    expect(readFiles(join(dir.path, name, "inbox"))).toEqual({ "a.txt": "x" });
  }
  expect(daemon.log()).not.toContain("INBOX_UNTIDY");
});
