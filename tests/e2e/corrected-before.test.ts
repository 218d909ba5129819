import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { crossed } from "../support/long.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { hasOverlay } from "../support/overlay.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { areGone, findProcesses } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig, type Sandbox } from "./papayu.ts";

const OWNER = 501;
const GOAL = "add a word";
const APPLY_GOAL = ["apply", "--goal", GOAL, "-w", "notes"];

/** Content without word.txt, and with it when its last line is "good". */
const CHECK = `test ! -f word.txt || { tail -n 1 word.txt | grep -qx good || { echo "not ok 1 - word"; exit 1; }; }`;

/** A line that a correction puts at the end of word.txt, or a reply of another kind. */
type Fix = string | Reply;

/** Plans, makes word.txt, and gives these corrections of it; the last stays. */
function playModel(...fixes: readonly Fix[]) {
  let fixed = 0;
  const play = ({ body }: ModelRequest): Reply => {
    const last = String(body.messages.at(-1)?.content);
    const say = (actions: readonly object[], summary: string): Reply => {
      return { kind: "text", text: JSON.stringify({ actions, summary }) };
    };
    if (last.includes("Now CORRECT")) {
      const fix = fixes[Math.min(fixed++, fixes.length - 1)] ?? "good";
      if (typeof fix !== "string") return fix;
      const [, base_sha256] = /FILE\[word\.txt\] \(sha256=([0-9a-f]{64})/u.exec(last) ?? [];
      const start_line = [...last.matchAll(/^\d+\|/gmu)].length + 1;
      const range = { base_sha256, start_line, end_line: start_line - 1, content: `${fix}\n` };
      return say([{ kind: "REPLACE_RANGE", path: "word.txt", ...range }], "corrects it");
    }
    if (!last.includes("Now APPLY")) return say([], "1. Add word.txt");
    return say([{ kind: "CREATE_FILE", path: "word.txt", content: "bad\n" }], "adds word.txt");
  };
  return startModelServer(play);
}

function prepare(
  dir: string,
  modelUrl: string,
  more = "",
  language = "en",
  check = CHECK,
): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const config = `
[default]
provider = "local"
language = "${language}"
[providers.local]
base_url = "${modelUrl}"
model = "scripted"
${more}
[[workspaces]]
name = "notes"
path = "./notes"
check = ${JSON.stringify([["sh", "-c", check]])}
`;
  return createSandbox(dir, config);
}

async function plan(sandbox: Sandbox): Promise<string> {
  const { report } = await sandbox.json("plan", GOAL, "-w", "notes");
  return report["plan_id"] ?? "";
}

const files = ({ dir }: Sandbox) => readTree(join(dir, "notes"));

/** A process of its own that shows a plan's change set. */
function lookAt({ dir, env }: Sandbox, planId: string) {
  return Bun.spawn([process.execPath, papayuProgram(), "preview", planId, "--json"], {
    cwd: dir,
    env: { ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

describe.if(hasOverlay)("a change set that is corrected before the question", () => {
  test("is shown, approved and applied by three commands, each with what the last one knew", async () => {
    using dir = tempDir();
    await using model = playModel("worse", "good");
    const sandbox = prepare(dir.path, model.url);
    const original = files(sandbox);
    const planId = await plan(sandbox);
    const { report } = await sandbox.json("preview", planId);
    expect(report).toMatchObject({ ok: true, check: { ok: true }, fix_rounds: 2 });
    expect(String(report["diff"])).toContain("+bad\n+worse\n+good\n");
    expect(files(sandbox)).toEqual(original);
    const id = String(report["change_set_id"]);
    const applied = await sandbox.json("apply", planId, "--approve", id);
    expect(applied).toMatchObject({
      exitCode: 0,
      report: { status: "committed", change_set_id: id, fix_rounds: 2, check: { ok: true } },
    });
    expect(model.requests).toHaveLength(4);
    expect(readFileSync(join(dir.path, "notes/word.txt"), "utf8")).toBe("bad\nworse\ngood\n");
    const undone = await sandbox.json("undo", "-w", "notes");
    expect(undone.report).toMatchObject({ status: "undone" });
    expect(files(sandbox)).toEqual(original);
  });

  test("is made of a goal at once", async () => {
    using dir = tempDir();
    await using model = playModel("good");
    const sandbox = prepare(dir.path, model.url);
    const { exitCode, report } = await sandbox.json(...APPLY_GOAL, "--yes");
    expect({ exitCode, report }).toMatchObject({
      exitCode: 0,
      report: { status: "committed", fix_rounds: 1 },
    });
    expect(model.requests).toHaveLength(3);
  });

  test.each([
    ["--yes", "supervised"],
    ["--json", "full"],
  ])("and goes beyond what was asked for, waits for a person: %s, %s", async (flag, autonomy) => {
    using dir = tempDir();
    const security = `[security]\nautonomy = "${autonomy}"`;
    const more = { kind: "CREATE_FILE", path: "ci.sh", content: "exit 0\n" };
    const text = JSON.stringify({ actions: [more], summary: "s" });
    await using model = playModel({ kind: "text", text });
    const sandbox = prepare(
      dir.path,
      model.url,
      security,
      "en",
      `test ! -f word.txt || test $(ls | wc -l) -gt 2`,
    );
    const original = files(sandbox);
    const { exitCode, report } = await sandbox.json(...APPLY_GOAL, flag);
    expect({ exitCode, report }).toMatchObject({
      exitCode: 3,
      report: { error_code: "CONFIRM_REQUIRED", fix_paths: ["ci.sh"], touched: false },
    });
    expect(files(sandbox)).toEqual(original);
    const planId = String(report["plan_id"]);
    const shown = await sandbox.run("preview", planId);
    expect(shown.stdout).toContain("Corrections also touched: ci.sh");
    const id = String(report["change_set_id"]);
    const applied = await sandbox.json("apply", planId, "--approve", id);
    expect(applied.report).toMatchObject({ status: "committed", fix_paths: ["ci.sh"] });
  });

  test("and stays red, is not written, and asked for no further", async () => {
    using dir = tempDir();
    await using model = playModel("worse", "worst", "good");
    const sandbox = prepare(dir.path, model.url);
    const original = files(sandbox);
    const planId = await plan(sandbox);
    for (const args of [["--yes"], ["--yes"]]) {
      const { exitCode, report } = await sandbox.json("apply", planId, ...args);
      expect({ exitCode, report }).toMatchObject({
        exitCode: 1,
        report: {
          status: "rolled_back",
          error_code: "AUTO_CHECK_FAILED_ROLLED_BACK",
          touched: false,
          fix_rounds: 2,
        },
      });
    }
    expect(model.requests).toHaveLength(4);
    expect(files(sandbox)).toEqual(original);
  });

  test("ends truthfully where the cap of the day is reached", async () => {
    using dir = tempDir();
    const usage = { prompt_tokens: 900_000, completion_tokens: 90_000 };
    await using model = startModelServer(({ body }) => {
      const isApply = String(body.messages.at(-1)?.content).includes("Now APPLY");
      const actions = [{ kind: "CREATE_FILE", path: "word.txt", content: "bad\n" }];
      const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Add it" });
      return { kind: "text", text, ...(isApply && { usage }) };
    });
    const sandbox = prepare(dir.path, model.url, "[agent]\nmax_tokens_per_day = 900000");
    const { report } = await sandbox.json("preview", await plan(sandbox));
    expect(report).toMatchObject({
      check: { ok: false },
      fix_rounds: 0,
      fix_notes: [{ why: "failed", error_code: "LLM_BUDGET" }],
    });
    expect(model.requests).toHaveLength(2);
  });

  test("goes on after kill -9 where it was, and asks for nothing twice", async () => {
    using dir = tempDir();
    await using model = playModel("worse", { kind: "hang" }, "good");
    const sandbox = prepare(dir.path, model.url);
    const original = files(sandbox);
    const planId = await plan(sandbox);
    const child = lookAt(sandbox, planId);
    await until(() => model.requests.length === 4);
    child.kill("SIGKILL");
    await child.exited;
    expect(files(sandbox)).toEqual(original);
    const { report } = await sandbox.json("apply", planId, "--yes");
    expect(report).toMatchObject({ status: "committed", fix_rounds: 2 });
    expect(model.requests).toHaveLength(5); // the one that was cut off, once more
    expect(readFileSync(join(dir.path, "notes/word.txt"), "utf8")).toBe("bad\nworse\ngood\n");
  });

  test("keeps a correction whose checks kill -9 cut off", async () => {
    using dir = tempDir();
    await using model = playModel("worse", "good");
    // What runs inside is seen from outside by its name, and ends with papa-yu from then on.
    const seconds = `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const hold = `test -e hold && grep -qs worse word.txt && sleep ${seconds}; ${CHECK}`;
    const sandbox = prepare(dir.path, model.url, "", "en", hold);
    writeTree(join(dir.path, "notes"), { hold: "" });
    const planId = await plan(sandbox);
    const child = lookAt(sandbox, planId);
    const isStored = () => {
      using store = openBeside(join(sandbox.home, "state.db"), { readonly: true });
      return store.query("SELECT 1 FROM corrections").get() !== null;
    };
    await until(() => isStored() && findProcesses(`sleep\0${seconds}`).length > 0);
    child.kill("SIGKILL");
    await child.exited;
    expect(await areGone(seconds)).toBe(true);
    rmSync(join(dir.path, "notes/hold"));
    const { report } = await sandbox.json("apply", planId, "--yes");
    expect(report).toMatchObject({ status: "committed", fix_rounds: 2 });
    expect(model.requests).toHaveLength(4);
  });

  const words = {
    en: ["after 2 corrections", "It still fails after 2 corrections."],
    ru: ["после 2 исправлений", "Она не проходит и после 2 исправлений."],
    zh: ["（修正 2 次后）", "修正 2 次后仍不通过。"],
  } as const;
  const told = crossed(["en", "ru", "zh"] as const, ["good", "worst"] as const, 1);
  test.each(told)("is told in %s: the last one is %s", async (language, last) => {
    using dir = tempDir();
    await using model = playModel("worse", last);
    const sandbox = prepare(dir.path, model.url, "", language);
    const { stdout } = await sandbox.run("preview", await plan(sandbox));
    expect(stdout).toContain(words[language][last === "good" ? 0 : 1]);
  });
});

describe.if(hasOverlay)("corrections on the phone", () => {
  async function openPhone(dir: string, ...fixes: readonly Fix[]) {
    const bot = await startBotApi();
    const model = playModel(...fixes);
    writeTree(join(dir, "notes"), { "a.txt": "x\n" });
    const check = JSON.stringify([["sh", "-c", CHECK]]);
    const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
    const config = `[http]\nenabled = false\n${phoneConfig(model.url, bot.url, OWNER)}${workspace}`;
    const sandbox = createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token });
    return { bot, model, sandbox };
  }

  test("are told with the checks, and the press applies them", async () => {
    using dir = tempDir();
    const { bot, model, sandbox } = await openPhone(dir.path, "good");
    await using _bot = bot;
    await using _model = model;
    await using _daemon = await sandbox.host();
    bot.say(OWNER, `plan: ${GOAL}`);
    await bot.tap(OWNER, "Apply");
    await bot.waitForText(/Checks passed: .*, after 1 correction/su);
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
    await bot.tap(OWNER, "Approve");
    await bot.waitForText(/Applied in notes/);
    expect(readFileSync(join(dir.path, "notes/word.txt"), "utf8")).toBe("bad\ngood\n");
    expect(model.requests).toHaveLength(3);
  });

  test("that did not help leave a fix to be planned by a press", async () => {
    using dir = tempDir();
    const { bot, model, sandbox } = await openPhone(dir.path, "worse", "worst");
    await using _bot = bot;
    await using _model = model;
    await using _daemon = await sandbox.host();
    bot.say(OWNER, `plan: ${GOAL}`);
    await bot.tap(OWNER, "Apply");
    const told = await bot.waitForText("It still fails after 2 corrections.");
    expect(told.text).toContain("Nothing was written");
    expect(told.buttons.map(({ label }) => label)).toEqual(["Show output", "Plan a fix"]);
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
    expect(model.requests).toHaveLength(4);
  });
});
