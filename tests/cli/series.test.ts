import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textsIn } from "../../src/texts/texts.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { GOAL, playRename, projectOf } from "../planner/series/series-scene.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

test("a plan in parts says so, is applied by one id and undone as a whole", async () => {
  using dir = tempDir();
  await using model = startModelServer(playRename);
  writeTree(join(dir.path, "notes"), projectOf(30));
  const config = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\nmax_actions = 10\n`;
  const sandbox = createSandbox(dir.path, config);
  const before = readTree(join(dir.path, "notes"));
  const planned = await sandbox.json("plan", GOAL);
  expect(planned).toMatchObject({
    exitCode: 0,
    report: { row: { files: 31, parts: 4, most_requests: 16 } },
  });
  const planId = String(planned.report["plan_id"]);
  const first = await sandbox.run("preview", planId);
  const asking = [1, 2, 3, 4].map((number) => textsIn("en").tries.series.asking(number, 4));
  expect(first.stderr.split("\n").filter((line) => asking.includes(line))).toEqual(asking);
  const shown = await sandbox.json("preview", planId);
  const part = { changes: 10, added: 19, removed: 19, summary: "renames fetchUser in 10 files" };
  expect(shown.report["row"]).toMatchObject({ done: 0, parts: [part, {}, {}, {}] });
  const approved = String(shown.report["change_set_id"]);
  const made = await sandbox.json("apply", planId, "--approve", approved);
  const committed = { status: "committed", tx_id: expect.any(String) };
  expect(made).toMatchObject({
    exitCode: 0,
    report: {
      status: "committed",
      change_set_id: approved,
      row: { done: 0, parts: [committed, committed, committed, committed] },
    },
  });
  const file = join(dir.path, "notes/src/part3/module25.js");
  expect(readFileSync(file, "utf8")).toBe(projectOf(30, "loadUser")["src/part3/module25.js"] ?? "");
  expect(model.requests).toHaveLength(5);
  // Scripts of before know it as --row.
  for (const [option, redone] of [
    ["--series", 4],
    ["--row", 0],
  ] as const) {
    const refused = await sandbox.json("undo", option, "--check");
    expect(refused).toMatchObject({ exitCode: 2, report: { error_code: "ERR_USAGE" } });
    expect(String(refused.report["error"])).toContain(option);
    const undone = await sandbox.json("undo", option);
    expect(undone).toMatchObject({ exitCode: 0, report: { status: "undone", touched: true } });
    expect(readTree(join(dir.path, "notes"))).toMatchObject(before);
    for (let number = 0; number < redone; number++) {
      expect(await sandbox.json("redo")).toMatchObject({ exitCode: 0 });
    }
  }
  const help = await sandbox.run("undo", "--help");
  expect(help.stdout).toContain("--series");
  expect(help.stdout).not.toContain("--row");
  // What was typed is what is spoken of.
  const valued = await sandbox.run("undo", "--row=x");
  expect(valued).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--row") });
  const behind = await sandbox.run("undo", "--", "--row");
  expect(behind).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"--row"') });
});
