/**
 * Makes a home as some papa-yu left it: `npm run pack-home -- CHECKOUT NAME` has the program
 * of CHECKOUT live through a day and packs what is left as `tests/upgrade/homes/NAME.tar.gz`. Made once
 * for each shape that state had; a packed home is never made again.
 */
import { join, resolve } from "node:path";
import { type BotApiServer, startBotApi } from "../tests/support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../tests/support/model-server.ts";
import { writeTree } from "../tests/support/tree.ts";
import {
  HELD,
  type Held,
  holdPlace,
  OWNER,
  PLACE,
  TOKEN,
  toConfig,
  toEnvironment,
} from "../tests/upgrade/lived-in.ts";

const [checkout = "", name = ""] = process.argv.slice(2);
if (name === "") throw new Error("usage: bun scripts/pack-home.ts CHECKOUT NAME");
const main = resolve(checkout, "src/main.ts");

{
  await using _place = await holdPlace(name);
  await live();
  const out = join(import.meta.dir, "../tests/upgrade/homes", `${name}.tar.gz`);
  const owner = ["--owner=0", "--group=0"];
  const packed = Bun.spawnSync([
    "tar",
    "-C",
    PLACE,
    ...owner,
    "-czf",
    out,
    "home",
    "w",
    "held.json",
  ]);
  if (packed.exitCode !== 0) throw new Error(packed.stderr.toString());
  console.log(`${out}: ${Bun.file(out).size} bytes`);
}

/** What a person does in a day: plans, changes, takes back, notes, asks, and leaves a question open. */
async function live(): Promise<void> {
  await using bot = await startBotApi(TOKEN);
  await using model = startModelServer(playModel);
  writeTree(PLACE, {
    "w/a.txt": "one\ntwo\nthree\n",
    "home/config.toml": toConfig(model.url, bot.url),
  });
  await run("apply", "--goal", "first", "-w", "w", "--yes");
  await run("apply", "--goal", "second", "-w", "w", "--yes");
  await run("undo", "-w", "w");
  await run(
    "tool",
    "remember",
    JSON.stringify({ key: HELD.key, text: HELD.note, category: "fact" }),
  );
  const job = ["--name", HELD.routine, "--schedule", "0 8 * * *", "--task", HELD.task];
  await run("routine", "add", ...job, "--mode", "ask", "-w", "w");

  const daemon = Bun.spawn([process.execPath, main, "start"], {
    cwd: PLACE,
    env: toEnvironment(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    bot.say(OWNER, HELD.said);
    await bot.waitForText(HELD.answered);
    bot.say(OWNER, "plan: third");
    await bot.tap(OWNER, "Apply");
    writeTree(PLACE, { "held.json": JSON.stringify(await bot.waitFor(() => findHeld(bot))) });
    await Bun.sleep(500); // what was sent is noted a moment later
  } finally {
    daemon.kill("SIGTERM");
    await daemon.exited;
  }
}

/** The question that stays open: where its button is, and what a press of it brings. */
function findHeld(bot: BotApiServer): Held | undefined {
  for (const { messageId, buttons } of bot.sent(OWNER)) {
    const approve = buttons.find(({ label }) => label.includes("Approve"));
    if (approve) return { messageId, data: approve.data };
  }
  return undefined;
}

/** Not in one go: the model that it asks is in this process. */
async function run(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, main, ...args], {
    cwd: PLACE,
    env: toEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = `${await child.stdout.text()}${await child.stderr.text()}`;
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")}: ${said}`);
  console.log(`${args.join(" ")}\n${said}`);
}

/** The goal of a conversation decides what file is made; without one it is a chat. */
function playModel(request: ModelRequest): Reply {
  const said = request.body.messages.map(({ content }) => String(content));
  const goal = /GOAL: (.*)/u.exec(said.findLast((text) => text.includes("GOAL: ")) ?? "")?.[1];
  if (goal === undefined) return { kind: "text", text: HELD.answered };
  const actions = said.some((text) => text.includes("Now APPLY"))
    ? [{ kind: "CREATE_FILE", path: `${goal}.md`, content: `# ${goal}\n` }]
    : [];
  return { kind: "text", text: JSON.stringify({ actions, summary: `1. Create ${goal}.md` }) };
}
