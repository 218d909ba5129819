import { expect, test } from "bun:test";
import { join } from "node:path";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { EVIL, startOnlineWorld, type WorldOptions } from "../support/online-world.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { tracesIn } from "../support/traces.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

const OWNER = 501;
const OTHER = 502;

/** A folder, a model, a web, and the real program on all of it. */
function open(options: WorldOptions, bot?: BotApiServer) {
  const dir = tempDir();
  const folder = join(dir.path, "notes");
  writeTree(folder, { "a.txt": "one\n" });
  const world = startOnlineWorld(options);
  const telegram = bot
    ? `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${OWNER}, ${OTHER}]\n`
    : "";
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`;
  const config = world.config.replace("[default]", '[default]\nlanguage = "ru"');
  const env: Record<string, string> = bot ? { TELEGRAM_BOT_TOKEN: bot.token } : {};
  return {
    folder,
    world,
    sandbox: createSandbox(dir.path, config + telegram + workspace, env),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** Starts a command whose process can be ended. */
function spawn({ dir, env }: Sandbox, ...args: string[]) {
  const command = [process.execPath, papayuProgram(), ...args];
  return Bun.spawn(command, { cwd: dir, env, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
}

const hang = () => new Promise<Response>(() => {});

test("the phone: findings are used at once, once for a goal, until a press ends that for good", async () => {
  await using bot = await startBotApi();
  await using scene = open({ autoUse: true }, bot);
  const { world, sandbox, folder } = scene;
  const original = readTree(folder);
  const first = await sandbox.host();

  // A: the chain fires, and the page that gives orders changes neither sources nor plan.
  bot.say(OWNER, "plan: goal A");
  const plan = await bot.waitForText("1. Plan for goal A");
  expect(plan.buttons.map(({ label }) => label)).toEqual(["Применить", "Изменить…", "Отбросить"]);
  const [used] = bot.sent(OWNER);
  expect(used?.text).toContain("Использовано ✓");
  expect(used?.text).toContain("One page gave orders.");
  const list = `1. Fast ${world.web.url}/fast\n2. Evil ${world.web.url}/evil\n`;
  expect(used?.text).toContain(list);
  expect(used?.text.slice(used.text.indexOf(list))).not.toContain("evil.example");
  expect(used?.buttons.map(({ label }) => label)).toEqual(["Выключить auto-use"]);
  expect([world.count("plan"), world.web.searches.length]).toEqual([3, 1]);

  // B fails with the findings, too; A again gets no second chain.
  bot.say(OWNER, "plan: hopeless B");
  await bot.waitFor(() => bot.texts(OWNER).at(-1)?.includes("ERR_JSON_EXTRACT"));
  expect(bot.texts(OWNER).at(-2)).toContain("Использовано ✓");
  bot.say(OWNER, "plan:  GOAL a");
  // What was used at once is used up: a person may use it once more.
  const manual = await bot.waitFor(() =>
    bot.sent(OWNER).find(({ buttons }) => buttons[0]?.label === "Использовать (один раз)"),
  );
  expect(manual.text).toContain("The flag is --fast.");
  expect(bot.texts(OWNER).at(-2)).toStartWith("Плана пока нет: ");
  expect(bot.texts(OWNER)).toHaveLength(6);
  expect(world.web.searches).toHaveLength(2);
  expect(world.count("plan")).toBe(3 + 4 + 2);

  // The button works for who asked, and holds over a restart.
  const stop = used?.buttons[0]?.data ?? "";
  bot.press(OTHER, used?.messageId ?? 0, stop);
  await bot.waitFor(() => bot.popUps.length === 1);
  expect(bot.popUps[0]?.text).toBe("Решать об этом плане может только тот, кто его просил");
  bot.press(OWNER, used?.messageId ?? 0, stop);
  await bot.waitForText("Auto-use отключён для этой папки.");
  await bot.waitFor(() => used?.buttons.length === 0);
  await first.stop();

  await using _second = await sandbox.host();
  bot.say(OWNER, "plan: goal C");
  const offered = await bot.waitFor(() =>
    bot
      .sent(OWNER)
      .find(
        ({ buttons, messageId }) =>
          messageId > manual.messageId && buttons[0]?.label === "Использовать (один раз)",
      ),
  );
  expect(offered.text).toContain("The flag is --fast.");
  expect(bot.texts(OWNER).at(-2)).toStartWith("Плана пока нет: ");

  // Foreign, then right, then a second press.
  const use = offered.buttons[0]?.data ?? "";
  bot.press(OTHER, offered.messageId, use);
  await bot.waitFor(() => bot.popUps.length === 3);
  expect(bot.popUps[2]?.text).toBe("Решать об этом плане может только тот, кто его просил");
  bot.press(OWNER, offered.messageId, use);
  await bot.waitForText("1. Plan for goal C");
  bot.press(OWNER, offered.messageId, use);
  await bot.waitFor(() => bot.popUps.some(({ text }) => /находки уже использованы/.test(text)));
  expect(world.web.searches.map(({ query }) => query)).toEqual(["goal A", "hopeless B", "goal C"]);

  // What is applied is the plan, and nothing that a page wanted.
  expect(readTree(folder)).toEqual(original);
  await bot.tap(OWNER, "Применить");
  await bot.tap(OWNER, "Одобрить");
  await bot.waitFor(() => bot.sent(OWNER).find(({ buttons }) => buttons[0]?.label === "Отменить"));
  expect(Object.keys(readTree(folder))).toEqual(["a.txt", "docs/", "docs/goal-C.md"]);
  expect(world.model.requests.at(-1)?.text).toContain("The flag is --fast.");
});

test("papayu plan --json suggests research, without auto-use", async () => {
  await using scene = open({});
  const { exitCode, stdout, stderr } = await scene.sandbox.run("plan", "learn it", "--json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    error_code: "ERR_JSON_EXTRACT",
    online_fallback_suggested: "learn it",
  });
  expect(JSON.parse(stdout)).not.toHaveProperty("online_context_used");
  expect(stderr).toMatch(/ONLINE_FALLBACK_SUGGESTED reason=ERR_JSON_EXTRACT query="learn it"\n/);
  expect(scene.world.web.searches).toEqual([]);
});

test("papayu plan --research asks the web first, and a refusal has its document", async () => {
  await using scene = open({});
  const { exitCode, stdout } = await scene.sandbox.run("plan", "easy goal", "--research");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Used what the web says on: easy goal\n- ${scene.world.web.url}/fast`);
  const asked = await scene.sandbox.json("plan", "learn it", "--research");
  expect(asked.report).toMatchObject({ ok: true, online_context_used: true });
  expect(scene.world.web.searches.map(({ query }) => query)).toEqual(["easy goal", "learn it"]);
  const both = await scene.sandbox.json("plan", "learn it", "--research", "--tries", "2");
  expect(both).toMatchObject({ exitCode: 2, report: { ok: false, error_code: "ERR_USAGE" } });
});

test("papayu plan --research says why there is none: nothing found, or switched off", async () => {
  for (const [options, code] of [
    [{ web: { results: [] } }, "not_found"],
    [{ settings: "", web: { answer: () => new Response("", { status: 503 }) } }, "unavailable"],
  ] as const) {
    await using scene = open(options);
    const { exitCode, report } = await scene.sandbox.json("plan", "learn it", "--research");
    expect({ exitCode, report }).toMatchObject({
      exitCode: 1,
      report: { ok: false, actions: [], error: expect.any(String), error_code: code },
    });
  }
});

test("papayu plan --json with auto-use: A, B, A are two chains; two at once are one", async () => {
  await using scene = open({ autoUse: true });
  const { sandbox, world, folder } = scene;
  const plan = async (goal: string) => (await sandbox.json("plan", goal)).report;
  const a = await plan("goal A");
  expect(a).toMatchObject({ ok: true, online_context_used: true });
  const trace = tracesIn(folder).find(({ trace_id }) => trace_id === a["trace_id"]);
  expect(trace).toMatchObject({
    online_context_injected: true,
    online_context_sources_count: 2,
    online_context_truncated: false,
    online_context_dropped: false,
    online_sources: [`${world.web.url}/fast`, `${world.web.url}/evil`],
    online_fallback_attempted: true,
    online_fallback_executed: true,
    online_fallback_reason: "ERR_JSON_EXTRACT",
  });
  expect(trace?.["online_context_chars"]).toBeLessThanOrEqual(8100);
  expect(await plan("hopeless B")).toMatchObject({ ok: false, online_context_used: true });
  const again = await plan("goal A");
  expect(again).toMatchObject({ ok: false, error_code: "ERR_JSON_EXTRACT" });
  expect(again).not.toHaveProperty("online_context_used");
  expect(again).toHaveProperty("online_fallback_suggested", "goal A");
  const { stdout } = await sandbox.run("plan", "goal C");
  expect(stdout).toStartWith(
    "1. Plan for goal C\n\nAuto-used ✓ what the web says on: goal C\n\nplan",
  );
  const both = await Promise.all([plan("goal D"), plan("goal D")]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  const queries = world.web.searches.map(({ query }) => query);
  expect(queries).toEqual(["goal A", "hopeless B", "goal C", "goal D"]);

  const applied = await sandbox.json("apply", a["plan_id"] ?? "", "--yes");
  expect(applied.report).toMatchObject({ ok: true, status: "committed" });
  expect(Object.keys(readTree(folder))).toEqual(["a.txt", "docs/", "docs/goal-A.md"]);
  const sent = world.model.requests.at(-1)?.text ?? "";
  expect(sent).toContain("The flag is --fast.");
  expect(sent).toContain(`> GOAL: ${EVIL}`);
});

test("papayu plan ends at a SIGTERM in mid-search", async () => {
  await using scene = open({ autoUse: true, web: { answer: hang } });
  const child = spawn(scene.sandbox, "plan", "learn it", "--json");
  await until(() => scene.world.web.searches.length > 0);
  child.kill("SIGTERM");
  const report = JSON.parse(await new Response(child.stdout).text());
  expect(await child.exited).toBe(1);
  expect(report).toMatchObject({ ok: false, error_code: "ERR_CANCELLED" });
});
