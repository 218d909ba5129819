import { appendFileSync } from "node:fs";
import { createConversation } from "../../src/agent/conversation.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { ANNA, withTools } from "../agent/scene.ts";
import { play, spy } from "./attack-scene.ts";

/** Asks for a call, approves it, and waits in it for ever; its runs are lines of a file. */
const [cwd = "", home = "", ran = ""] = process.argv.slice(2);
const env = { PAPAYU_HOME: home };
const loaded = await loadConfig({ path: "config.toml", cwd, home, env });
const model = play([["act", { q: "x" }]], "asked");
const app = createApp(loaded, { env, cwd, writeLog: () => {}, provider: model });
const tool = spy("act", "change");
const hanging = {
  ...tool,
  async run() {
    appendFileSync(ran, "run\n");
    process.stdout.write("running\n");
    return new Promise<never>(() => {});
  },
};
const conversation = createConversation(withTools(app.current.agent, [hanging]));
let approvalId = "";
await conversation.message(ANNA, "do it", (event) => {
  if (event.kind === "call_approval") approvalId = event.approvalId;
});
process.stdout.write(`${approvalId}\n`);
setInterval(() => {}, 1000); // a promise alone keeps no process alive
await conversation.press(ANNA, { act: "approve", ref: approvalId }, () => {});
