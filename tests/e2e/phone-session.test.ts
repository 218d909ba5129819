import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { oneOf } from "../support/long.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { findForeign, openPhone, type Script } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";
import { SCRIPTS } from "./phone-scripts.ts";

const OWNER = 501;
const FRIEND = 502;

/** Fails while the number is "bad", and prints it. */
const CHECK = "cat number.txt 2>&1; ! grep -qs bad number.txt";

/** Latin words that people of every language read: names, commands' words, values. */
const NAMES =
  "papa-yu Papa papayu tiny notes terminal telegram local offline scripted bwrap none pid UTC " +
  "plan ok undo diff apply config full supervised readonly forget run logs NAME on off auto-use Auto-use " +
  "security autonomy bun ls cat grep find echo pwd git head tail wc tea";

/** Plays the model: a goal that speaks of a number is done badly until a check has said so. */
function playModel({ breaking, summary }: Script): (request: ModelRequest) => Reply {
  return ({ body }) => {
    const said = body.messages.map(({ content }) => String(content)).join("\n");
    const isNumber = said.includes(breaking);
    const content = said.includes("What the check printed") ? "7\n" : "bad\n";
    const action = isNumber
      ? { kind: "CREATE_FILE", path: "number.txt", content }
      : { kind: "CREATE_FILE", path: "add.md", content: "a + b\n" };
    const actions = said.includes("Now APPLY") ? [action] : [];
    const isCorrection = said.includes("Now CORRECT");
    const answer = isCorrection ? "NO_CHANGES: only a new plan helps" : summary;
    return { kind: "text", text: JSON.stringify({ actions, summary: answer }) };
  };
}

test.each(oneOf(2, SCRIPTS))(
  "a phone session in $language: buttons, truths and commands",
  async (script) => {
    const { language, said, truths, buttons } = script;
    const [
      apply = "",
      change = "",
      drop = "",
      approve = "",
      reject = "",
      undo = "",
      output = "",
      fix = "",
      another = "",
    ] = buttons;
    using dir = tempDir();
    writeTree(join(dir.path, "tiny"), { "a.txt": "a\n" });
    writeTree(join(dir.path, "notes"), { "b.txt": "b\n" });
    await using bot = await startBotApi();
    await using model = startModelServer(playModel(script));
    const config = `
[default]
provider = "local"
language = "${language}"
[providers.local]
base_url = "${model.url}"
model = "scripted"
[http]
enabled = false
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}, ${FRIEND}]
[[workspaces]]
name = "tiny"
path = "./tiny"
check = [["/bin/sh", "-c", ${JSON.stringify(CHECK)}]]
[[workspaces]]
name = "notes"
path = "./notes"
`;
    const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
    const labels = (message: { buttons: readonly { label: string }[] }) =>
      message.buttons.map(({ label }) => label);
    const tree = () => Object.keys(readTree(join(dir.path, "tiny")));
    await using _daemon = await sandbox.host();
    const phone = openPhone(bot, OWNER);

    // A plan, another one by a revision, its change set, and the way back.
    await phone.say("/start", said.help);
    const first = await phone.say(`plan: ${script.goal}`, said.plan);
    expect(labels(first)).toEqual([apply, change, drop]);
    await phone.tap(change, said.revision);
    await phone.say(script.revision, said.plan);
    const shown = await phone.tap(apply, said.changes);
    expect(labels(shown)).toEqual([approve, reject, another]);
    expect(await phone.pressAgain(shown, 0, FRIEND)).toBe(truths.foreign);
    expect(tree()).toEqual(["a.txt"]);
    const applied = await phone.tap(approve, said.applied);
    expect(applied.text).toContain(said.passed);
    expect(labels(applied)).toEqual([undo]);
    expect(tree()).toContain("add.md");
    expect(await phone.pressAgain(shown, 0)).toBe(truths.twice);
    await phone.tap(undo, said.undone);
    expect(tree()).toEqual(["a.txt"]);
    expect(await phone.pressAgain(applied, 0)).toBe(truths.undoneTwice);

    // A change whose check fails is not written, or goes back by itself where no view can be had;
    // what failed helps to plan the next.
    await phone.say(`plan: ${script.breaking}`, said.plan);
    if (!hasOverlay) await phone.say(script.yes, said.changes);
    const failed = await phone.say(script.yes, hasOverlay ? said.nothingWritten : said.rolledBack);
    expect(failed.text).toContain("bad");
    expect(labels(failed)).toEqual([output, fix]);
    expect(tree()).toEqual(["a.txt"]);
    await phone.tap(output, /^\$|bad/u);
    await phone.tap(fix, said.plan);
    await phone.tap(apply, said.changes);
    await phone.tap(approve, said.applied);
    expect(tree()).toContain("number.txt");

    // Commands.
    await phone.say("/statsu", said.unknown);
    await phone.say("/status", said.status);
    await phone.say("/history", said.history);
    await phone.say("/rules", said.rules);
    const workspaces = await phone.say("/ws", said.ws);
    expect(labels(workspaces)).toEqual(["notes"]);
    await phone.tap("notes", said.chosen);
    await phone.say("/ws tiny", "tiny");
    await phone.say("/memory", said.memory);
    await phone.say("/memory forget tea", said.forgotten);
    await phone.say("/model", "▸ local (scripted)");
    await phone.say("/report", said.report);
    await phone.say("/mode", said.mode);
    const asked = await phone.say("/mode full", said.asks);
    expect(labels(asked)).toEqual([approve, reject]);
    await phone.say(script.no, said.notRun);

    // A question that nobody answered in time.
    await sandbox.run("config", "set", "telegram.approval_timeout_s", "1", "--yes");
    await phone.waitForText(said.saved);
    await phone.say(`plan: ${script.goal}`, said.plan);
    const late = await phone.tap(apply, said.changes);
    await Bun.sleep(1100); // longer than the question waits
    expect(await phone.pressAgain(late, 0)).toBe(truths.expired);

    if (process.env["TRANSCRIPT"]) process.stdout.write(`\n${phone.transcript()}\n`);
    const foreign = findForeign(phone.shown(), NAMES.split(" "));
    if (language === "en") expect(foreign.length).toBeGreaterThan(300);
    else expect(foreign).toEqual([]);
  },
);
