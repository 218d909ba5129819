import { expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const OWNER = 501;

/** A daemon that is killed with -9 in the middle of a turn. */
async function openCrash(replies: readonly Reply[], autonomy = "full") {
  const dir = tempDir();
  const folder = join(dir.path, "notes");
  writeTree(folder, { "a.txt": "a\n" });
  const bot = await startBotApi();
  const model = startModelServer(replies);
  const config = `
[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
[security]
autonomy = "${autonomy}"
allowed_commands = ["mktemp run-XXXXXX"]
http_allowed_hosts = ["127.0.0.1"]
sandbox = "none"
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}]
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
  return {
    bot,
    model,
    sandbox,
    files: () => Object.keys(readTree(folder)).filter((path) => path.startsWith("run-")),
    async killWhen(isTime: () => Promise<unknown>): Promise<void> {
      const daemon = await sandbox.start();
      bot.say(OWNER, "do it");
      await isTime();
      daemon.kill("SIGKILL");
      await daemon.exited;
    },
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await model.stop();
      dir[Symbol.dispose]();
    },
  };
}

function calls(...all: (readonly [name: string, args: unknown])[]): Reply {
  return { kind: "tools", calls: all.map(([name, args]) => ({ name, arguments: args })) };
}

/** What the model was told, role by role. */
function messagesOf(request: ModelRequest | undefined, role: string): readonly string[] {
  const messages = request?.body.messages ?? [];
  return messages.flatMap((each) => (each.role === role ? [String(each.content)] : []));
}

const MAKE = ["run_command", { argv: ["mktemp", "run-XXXXXX"] }] as const;
const NOTE = ["remember", { key: "colour", text: "blue" }] as const;

test("kill -9 behind an effect: it happened once, the model sees what came of it, the answer arrives", async () => {
  await using crash = await openCrash([
    calls(NOTE, MAKE),
    { kind: "hang" },
    calls(MAKE),
    { kind: "text", text: "all done" },
  ]);
  const { model, bot, sandbox } = crash;
  await crash.killWhen(() => bot.waitFor(() => model.requests.length === 2));
  expect(crash.files()).toHaveLength(1);

  await using _daemon = await sandbox.host();
  await bot.waitForText("all done");
  expect(crash.files()).toHaveLength(1);
  const [, , again, last] = model.requests;
  expect(messagesOf(again, "user")).toEqual(["do it"]);
  expect(messagesOf(again, "tool")).toEqual(messagesOf(model.requests[1], "tool"));
  expect(messagesOf(again, "tool")[1]).toContain(crash.files()[0]);
  expect(messagesOf(last, "tool").at(-1)).toContain("not made twice");

  bot.say(OWNER, "and now?");
  await bot.waitFor(() => model.requests.length === 5);
  expect(messagesOf(model.requests[4], "user")).toEqual(["do it", "and now?"]);
});

test("kill -9 while an effect runs: it is not run again, and both are told that its outcome is unknown", async () => {
  const posted: string[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      posted.push(await request.text());
      return new Promise<never>(() => {});
    },
  });
  const post = ["http_request", { method: "POST", url: server.url.href, body: "pay" }] as const;
  await using crash = await openCrash([
    calls(post),
    calls(post),
    { kind: "text", text: "look there first" },
  ]);
  const { model, bot, sandbox } = crash;
  await crash.killWhen(() => bot.waitFor(() => posted.length === 1));

  await using _daemon = await sandbox.host();
  await bot.waitForText(/stopped while these ran.*http_request/s);
  await bot.waitForText("look there first");
  expect(posted).toEqual(["pay"]);
  expect(messagesOf(model.requests[1], "user")).toEqual(["do it"]);
  expect(messagesOf(model.requests[1], "tool")[0]).toContain("whether it took effect is not known");
  expect(messagesOf(model.requests[2], "tool").at(-1)).toContain("not made twice");
});

test("kill -9 behind an approved call: it ran once, and the press brings the answer", async () => {
  await using crash = await openCrash(
    [
      calls(MAKE),
      { kind: "text", text: "I asked" },
      { kind: "hang" },
      { kind: "text", text: "made" },
    ],
    "supervised",
  );
  const { model, bot, sandbox } = crash;
  await crash.killWhen(async () => {
    await bot.tap(OWNER, "Approve");
    await bot.waitFor(() => model.requests.length === 3);
  });
  expect(crash.files()).toHaveLength(1);

  await using _daemon = await sandbox.host();
  await bot.waitForText("made");
  expect(crash.files()).toHaveLength(1);
  expect(messagesOf(model.requests[3], "tool")).toEqual(messagesOf(model.requests[2], "tool"));
  expect(bot.texts().join("\n")).not.toContain("APPROVAL_INVALID");
});

test("kill -9 behind a look: what was read is there, and not read again", async () => {
  await using crash = await openCrash([
    calls(["read_file", { path: "a.txt" }]),
    { kind: "hang" },
    { kind: "text", text: "it holds one letter" },
  ]);
  const { model, bot, sandbox } = crash;
  await crash.killWhen(() => bot.waitFor(() => model.requests.length === 2));
  await using _daemon = await sandbox.host();
  await bot.waitForText("it holds one letter");
  expect(messagesOf(model.requests[2], "tool")).toEqual(messagesOf(model.requests[1], "tool"));
});
