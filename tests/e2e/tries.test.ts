import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { areGone, findProcesses } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

const GOAL = "add a word";

/** Content without word.txt, and with it when one of its lines is "good". */
const CHECK = "test ! -f word.txt || grep -qx good word.txt";

/** Who is asked: the model, and how freely. */
type Asked = Pick<ModelRequest["body"], "model" | "temperature">;

/** What it writes into word.txt, or another reply to being asked for it. */
type Answer = (asked: Asked) => readonly string[] | Reply;

function playModels(answer: Answer) {
  return startModelServer(({ body }) => {
    const say = (document: object): Reply => ({ kind: "text", text: JSON.stringify(document) });
    const isApply = String(body.messages.at(-1)?.content).includes("Now APPLY");
    if (!isApply) return say({ actions: [], summary: `1. As ${body.model} does` });
    const answered = answer(body);
    if ("kind" in answered) return answered;
    const content = `${answered.join("\n")}\n`;
    return say({ actions: [{ kind: "CREATE_FILE", path: "word.txt", content }], summary: "s" });
  });
}

/** A configuration with these models in the order of its chain, the first by default. */
function prepare(
  dir: string,
  url: string,
  models: readonly string[],
  { more = "", language = "en", check = CHECK } = {},
): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const [first = "offline", ...others] = models;
  const providers = models.map(
    (name) => `[providers.${name}]\nbase_url = "${url}"\nmodel = "${name}-1"\n`,
  );
  const config = `
[default]
provider = "${first}"
language = "${language}"
${providers.join("")}
[reliability]
max_retries = 0
fallback_providers = ${JSON.stringify(others)}
${more}
[[workspaces]]
name = "notes"
path = "./notes"
check = ${JSON.stringify([["sh", "-c", check]])}
`;
  return createSandbox(dir, config);
}

const tryWays = (sandbox: Sandbox, count: number, goal = GOAL) =>
  sandbox.json("plan", goal, "-w", "notes", "--tries", String(count));

const files = ({ dir }: Sandbox) => readTree(join(dir, "notes"));

/** What is looked at of one way; each expectation names what it needs. */
interface Row {
  readonly plan_id?: string;
  readonly change_set_id?: string;
  readonly ok: boolean;
  readonly error_code?: string;
  readonly same?: readonly { readonly plan_id: string }[];
}

const rowsOf = (report: { readonly [key: string]: never }): readonly Row[] => report["tries"] ?? [];

const TWO: Answer = ({ model }) => (model === "big-1" ? ["one", "two", "good"] : ["good"]);

describe.if(hasOverlay)("papayu plan --tries", () => {
  test("shows the smallest way that passes, and previews and applies another", async () => {
    using dir = tempDir();
    await using server = playModels(TWO);
    const sandbox = prepare(dir.path, server.url, ["big", "small"]);
    const original = files(sandbox);
    const { exitCode, report } = await tryWays(sandbox, 2);
    expect({ exitCode, report }).toMatchObject({
      exitCode: 0,
      report: {
        ok: true,
        summary: "1. As small-1 does",
        compared_by: "checks",
        notes: [expect.stringContaining("2 of 2")],
        tries: [
          { ok: true, state: "green", provider: "small", model: "small-1", changed_lines: 1 },
          { ok: true, state: "green", provider: "big", model: "big-1", changed_lines: 3 },
        ],
      },
    });
    const [small, big] = rowsOf(report);
    expect(report).toMatchObject({ plan_id: small?.plan_id });
    expect(small).toMatchObject({ check: { ok: true }, view: "overlay", fix_rounds: 0 });
    expect(server.requests).toHaveLength(4);
    expect(files(sandbox)).toEqual(original);
    const { report: shown } = await sandbox.json("preview", String(big?.plan_id));
    expect(shown).toMatchObject({ check: { ok: true }, change_set_id: big?.change_set_id });
    const applied = await sandbox.json("apply", String(big?.plan_id), "--yes");
    expect(applied).toMatchObject({ exitCode: 0, report: { status: "committed" } });
    expect(readFileSync(join(dir.path, "notes/word.txt"), "utf8")).toBe("one\ntwo\ngood\n");
    expect(server.requests).toHaveLength(4);
  });

  test("asks one model at other temperatures, and tells the same change set once", async () => {
    using dir = tempDir();
    await using server = playModels(({ temperature = 0 }) =>
      temperature > 0.5 ? ["good"] : ["one", "good"],
    );
    const sandbox = prepare(dir.path, server.url, ["only"]);
    const { report } = await tryWays(sandbox, 4);
    const asked = server.requests.map(({ body }) => body.temperature ?? -1);
    expect(new Set(asked)).toEqual(new Set([0.2, 0.4, 0.7, 1]));
    expect(rowsOf(report)).toMatchObject([
      { changed_lines: 1, temperature: 0.7, same: [{ temperature: 1 }] },
      { changed_lines: 2, temperature: 0.2, same: [{ temperature: 0.4 }] },
    ]);
    const same = rowsOf(report)[0]?.same?.[0]?.plan_id;
    const { report: shown } = await sandbox.json("preview", String(same));
    expect(shown).toMatchObject({ ok: true, change_set_id: rowsOf(report)[0]?.change_set_id });
  });

  test("says that none passes, with exit 1, and shows the one that failed least", async () => {
    using dir = tempDir();
    await using server = playModels(({ model }) => [model]);
    const sandbox = prepare(dir.path, server.url, ["big", "small"], {
      more: "[agent]\nmax_fix_rounds = 0",
    });
    const { exitCode, report } = await tryWays(sandbox, 2);
    expect({ exitCode, report }).toMatchObject({
      exitCode: 1,
      report: {
        ok: false,
        plan_id: expect.stringMatching(/^plan_/),
        error_code: "AUTO_CHECK_FAILED_ROLLED_BACK",
        tries: [
          { ok: false, state: "red", model: "big-1", check: { ok: false } },
          { ok: false, state: "red", model: "small-1" },
        ],
      },
    });
    const told = await sandbox.run("plan", GOAL, "-w", "notes", "--tries", "2");
    expect(told.exitCode).toBe(1);
    expect(told.stdout).toContain("+big-1\n");
    expect(told.stdout).toContain("None of them passes its checks; the one that failed least");
    expect(told.stdout).not.toContain("next:");
    expect(told.stderr).toContain("AUTO_CHECK_FAILED_ROLLED_BACK");
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
  });

  test("goes on without a model that fails, and fails where all do", async () => {
    using dir = tempDir();
    await using server = playModels(({ model }) =>
      model === "big-1" ? { kind: "status", status: 400 } : ["good"],
    );
    const sandbox = prepare(dir.path, server.url, ["big", "small"]);
    const { exitCode, report } = await tryWays(sandbox, 2);
    expect(exitCode).toBe(0);
    expect(rowsOf(report)).toMatchObject([
      { ok: true, model: "small-1" },
      { ok: false, state: "failed", model: "big-1", error_code: "LLM_REQUEST" },
    ]);
    expect((await tryWays(sandbox, 1)).exitCode).toBe(1);
    await server.stop();
    const all = await tryWays(sandbox, 2);
    expect(all).toMatchObject({
      exitCode: 1,
      report: { ok: false, error_code: "LLM_REQUEST", tries: [{ ok: false }, { ok: false }] },
    });
    expect(all.report["plan_id"]).toBeUndefined();
  });

  test("keeps the caps of the day over all of them, and says where they ended it", async () => {
    using dir = tempDir();
    // A request is reserved with more than the 9000 that it takes: the seventh never has room, and
    // one for a change set always has, whoever comes first.
    const usage = { prompt_tokens: 8900, completion_tokens: 100 };
    const goal = `${GOAL} ${"word ".repeat(5800)}`;
    await using server = startModelServer(({ body }) => {
      const isApply = String(body.messages.at(-1)?.content).includes("Now APPLY");
      const content = `${body.temperature}\ngood\n`;
      const actions = [{ kind: "CREATE_FILE", path: "word.txt", content }];
      const document = { actions: isApply ? actions : [], summary: "1. Add it" };
      return { kind: "text", text: JSON.stringify(document), usage };
    });
    const sandbox = prepare(dir.path, server.url, ["only"], {
      more: "[agent]\nmax_tokens_per_day = 63000",
    });
    const { exitCode, report } = await tryWays(sandbox, 4, goal);
    const rows = rowsOf(report);
    const made = rows.filter((row) => row.ok).length;
    const capped = rows.filter((row) => row.error_code === "LLM_BUDGET").length;
    expect({ exitCode, tries: made + capped }).toEqual({ exitCode: 0, tries: 4 });
    expect(rows[0]).toMatchObject({ ok: true, check: { ok: true } });
    expect(capped).toBeGreaterThan(0);
    expect(String(report["notes"])).toContain("A daily cap was reached");
    expect(server.requests.length).toBeLessThan(7);
    const after = server.requests.length;
    const again = await tryWays(sandbox, 4, goal);
    expect(again).toMatchObject({ exitCode: 1, report: { error_code: "LLM_BUDGET" } });
    expect(server.requests).toHaveLength(after);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "%s leaves whole plans, and no view",
    async (signal) => {
      using dir = tempDir();
      await using server = playModels(TWO);
      // What runs in a view is seen from outside by its name, and ends with papa-yu from then on.
      const seconds = `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      const hold = `test ! -e hold || sleep ${seconds}; ${CHECK}`;
      const sandbox = prepare(dir.path, server.url, ["big", "small"], { check: hold });
      writeTree(join(dir.path, "notes"), { hold: "" });
      const original = files(sandbox);
      const command = ["plan", GOAL, "-w", "notes", "--tries", "2", "--json"];
      const child = Bun.spawn([process.execPath, papayuProgram(), ...command], {
        cwd: dir.path,
        env: { ...sandbox.env },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const said = new Response(child.stderr).text();
      const isHeld = () => findProcesses(`sleep\0${seconds}`).length > 0;
      await until(() => server.requests.length === 4 && isHeld());
      expect(views(sandbox)).not.toEqual([]);
      child.kill(signal);
      await child.exited;
      expect(await areGone(seconds)).toBe(true);
      expect(files(sandbox)).toEqual(original);
      if (signal === "SIGTERM") {
        expect(await said).toContain("ERR_CANCELLED");
        expect(views(sandbox)).toEqual([]);
      }
      await Bun.$`rm ${join(dir.path, "notes/hold")}`;
      const { report } = await tryWays(sandbox, 1);
      expect(report).toMatchObject({ ok: true });
      expect(views(sandbox)).toEqual([]);
    },
  );

  test.each([
    ["en", "2 of 2 different ways pass", "passed · 3 lines"],
    ["ru", "показан наименьший", "проверки пройдены · 3 строки"],
    ["zh", "显示的是更改最少的一种", "已通过 · 3 行"],
  ])("tells a person in %s", async (language, head, row) => {
    using dir = tempDir();
    await using server = playModels(TWO);
    const sandbox = prepare(dir.path, server.url, ["big", "small"], { language });
    const { stdout, exitCode } = await sandbox.run("plan", GOAL, "-w", "notes", "--tries", "2");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("+good\n");
    expect(stdout).not.toContain("+one\n");
    expect(stdout).toContain(head);
    expect(stdout).toContain(row);
    const lines = stdout.split("\n").filter((line) => /^ {2}plan_/u.test(line));
    expect(lines.map((line) => /\(.*\)$/u.exec(line)?.[0])).toEqual([
      "(small small-1 0.2)",
      "(big big-1 0.2)",
    ]);
  });
});

const views = ({ home }: Sandbox): readonly string[] => {
  const folder = join(home, "views");
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+-/u.test(name)) : [];
};

test("built-in rules make one plan, and say so", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(dir.path, workspace);
  const { report } = await sandbox.json("plan", "add what a newcomer would miss", "--tries", "3");
  expect(report).toMatchObject({
    ok: true,
    compared_by: "size",
    tries: [{ ok: true, state: "unchecked", provider: "offline" }],
    notes: [expect.stringContaining("nothing to check with"), expect.stringContaining("one way")],
  });
});

test.each(["0", "5", "-1", "two", "1.5", "", "10"])("--tries %j is refused", async (count) => {
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, "");
  const { exitCode, report } = await sandbox.json("plan", GOAL, `--tries=${count}`);
  expect({ exitCode, report }).toMatchObject({
    exitCode: 2,
    report: { ok: false, error_code: "ERR_USAGE", error: expect.stringContaining("1 to 4") },
  });
});
