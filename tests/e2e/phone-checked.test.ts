import { expect, test } from "bun:test";
import { join } from "node:path";
import { textsIn } from "../../src/texts/texts.ts";
import { type BotApiServer, type SentMessage, startBotApi } from "../support/bot-api-server.ts";
import { FETCHING_NPM, layFetchingNpm } from "../support/fetching-npm.ts";
import { tellFigures } from "../support/figures.ts";
import { oneOf } from "../support/long.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;

/** What each folder is checked with, and its goal says what becomes of it. */
const CHECKS: Readonly<Record<string, string>> = {
  passes: "true",
  fails: "! test -e new.txt",
  failed: "false",
  corrected: "[ ! -e new.txt ] || [ $(ls | wc -l) -ge 4 ]",
  kept: "if [ -e new.txt ]; then cp new.txt new.snap; fi",
};

/** A file more with each correction of what wants three; nothing else can be corrected. */
function createModel(): (request: ModelRequest) => Reply {
  let files = 1;
  return ({ body }) => {
    const said = body.messages.map(({ content }) => String(content)).join("\n");
    if (said.includes("Now CORRECT")) {
      if (!said.includes("three files")) return toReply([], "NO_CHANGES: nothing helps");
      const path = `new${(files += 1)}.txt`;
      return toReply([{ kind: "CREATE_FILE", path, content: "line\n" }], "one file");
    }
    if (!said.includes("Now APPLY")) return toReply([], "one file");
    const path = said.includes("a manifest") ? "package.json" : "new.txt";
    const content = path === "new.txt" ? "line\n" : "{}\n";
    return toReply([{ kind: "CREATE_FILE", path, content }], "one file");
  };
}

function toReply(actions: readonly object[], summary: string): Reply {
  return { kind: "text", text: JSON.stringify({ actions, summary }) };
}

test.if(hasOverlay).each(oneOf(3, ["en", "ru", "zh"] as const))(
  "what checks came to is read on a phone before the yes, in %s",
  async (language) => {
    const texts = textsIn(language);
    const { buttons, checked } = texts;
    using dir = tempDir();
    const folders = Object.entries(CHECKS).map(([name, check]) => {
      writeTree(join(dir.path, name), { "a.txt": "a\n" });
      return `[[workspaces]]\nname = "${name}"\npath = "./${name}"\ncheck = [["sh", "-c", ${JSON.stringify(check)}]]\n`;
    });
    writeTree(join(dir.path, "lock"), { "a.txt": "a\n" });
    layFetchingNpm(join(dir.path, "lock"));
    const generate = JSON.stringify([FETCHING_NPM]);
    folders.push(
      `[[workspaces]]\nname = "lock"\npath = "./lock"\ncheck = [["true"]]\ngenerate = ${generate}\n`,
    );
    await using bot = await startBotApi();
    await using model = startModelServer(createModel());
    const sandbox = createSandbox(dir.path, toConfig(language, bot, model.url, folders), {
      TELEGRAM_BOT_TOKEN: bot.token,
    });
    await using _daemon = await sandbox.host();
    const phone = openPhone(bot, OWNER);
    const labels = (message: SentMessage) => message.buttons.map(({ label }) => label);
    /** Plans in a folder, and presses [Apply]. */
    const ask = async (name: string, goal: string, answer: string) => {
      await phone.say(`/ws ${name}`, name);
      await phone.say(`plan: ${goal}`, texts.plan.head(name));
      return phone.tap(buttons.apply, answer);
    };
    const { approve, reject, tryAnother, approveAnyway, showOutput, planFix, keep, reach } =
      buttons;
    const passed = texts.check.passed([]).trimEnd();

    const green = await ask("passes", "passes", passed);
    expect(labels(green)).toEqual([approve, reject, tryAnother]);

    const red = await ask("fails", "fails", texts.outcome.nothingWritten("fails"));
    expect(labels(red)).toEqual([showOutput, planFix]);

    const before = await ask("failed", "fails", checked.failsWithout);
    expect(labels(before)).toEqual([approveAnyway, reject, tryAnother, showOutput, planFix]);

    const twice = await ask("corrected", "three files", checked.afterCorrections("", 2));
    expect(labels(twice)).toEqual([approve, reject, tryAnother]);
    expect(twice.text).toContain("new3.txt");

    const left = await ask("kept", "kept", "new.snap");
    expect(labels(left)).toContain(keep);
    const kept = await phone.tap(keep, checked.kept("new.snap"));
    expect(labels(kept)).toEqual([approve, reject, tryAnother]);

    const unmade = await ask("lock", "a manifest", "pkg.example.com");
    expect(labels(unmade)).toEqual([approveAnyway, reach, reject, tryAnother]);
    const made = await phone.tap(reach, "package-lock.json");
    expect(labels(made)).toEqual([approve, reject, tryAnother]);
    expect(made.text).toContain("+1 −0 package-lock.json");
    await phone.tap(approve, texts.outcome.committed("lock", 2));
    expect(readTree(join(dir.path, "lock"))).toHaveProperty(["package-lock.json"]);
    tellFigures(language, { transcript: phone.transcript() });
  },
);

function toConfig(
  language: string,
  bot: BotApiServer,
  modelUrl: string,
  folders: readonly string[],
): string {
  return `
[default]
provider = "local"
language = "${language}"
[providers.local]
base_url = "${modelUrl}"
model = "scripted"
[http]
enabled = false
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}]
${folders.join("")}`;
}
