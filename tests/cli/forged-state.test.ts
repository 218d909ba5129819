import { expect, test } from "bun:test";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { tarEntry } from "../../src/transaction/stage/tar.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const TX = "tx_00000000000000aa";

/** A repository whose journal says that it was cut off in the middle, or that it ended. */
function plant(root: string, isFinished: boolean): void {
  const evil = "#!/bin/sh\n";
  const [image, old] = [sha256(evil), sha256("x\n")];
  const changes = [
    { kind: "create", path: "b.txt", after: { sha256: old, mode: 0o644, sizeBytes: 2 } },
    {
      kind: "update",
      path: "a.txt",
      before: { sha256: image, mode: 0o644, sizeBytes: 10 },
      after: { sha256: old, mode: 0o644, sizeBytes: 2 },
    },
    { kind: "delete", path: "evil", before: { sha256: image, mode: 0o4755, sizeBytes: 10 } },
  ];
  const header = { v: 1, line: "begin", kind: "apply", at: 1, changeSetId: "x", summary: "x" };
  const end = isFinished ? '{"line":"end","status":"committed"}\n' : "";
  writeTree(root, {
    "a.txt": "x\n",
    "b.txt": "x\n",
    [`.papa-yu/tx/${TX}/journal.jsonl`]: `${JSON.stringify({ ...header, changes })}\n${end}`,
    [`.papa-yu/objects/${TX}.tar`]: tarEntry(image, Buffer.from(evil), 0),
  });
}

test.each([
  ["unfinished", false],
  ["finished", true],
])("no command obeys an %s journal that came with a folder", async (_, isFinished) => {
  using dir = tempDir();
  const root = join(dir.path, "notes");
  plant(root, isFinished);
  const config =
    '[security]\nautonomy = "supervised"\n\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(dir.path, config);
  const before = readTree(root);
  const goal = "add what a newcomer would miss";
  const plan = await sandbox.json("plan", goal);
  const planId = String(Object(plan.report)["plan_id"]);
  for (const args of [["preview", planId], ["recover"], ["undo"], ["redo"], ["history"]]) {
    await sandbox.json(...args);
    expect({ args, tree: readTree(root) }).toEqual({ args, tree: before });
  }
  const left = { tx_id: TX, why: "older version", status: isFinished ? "committed" : "open" };
  expect((await sandbox.json("recover")).report).toMatchObject({ ok: true, left_alone: [left] });
  expect(await sandbox.json("apply", planId, "--yes")).toMatchObject({ exitCode: 0 });
  expect(await sandbox.json("undo")).toMatchObject({ exitCode: 0 });
  expect(readTree(root)).toEqual(before);
});

test("history, and an undo that finds nothing, say that older changes are left alone", async () => {
  using dir = tempDir();
  plant(join(dir.path, "notes"), true);
  const config = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(dir.path, config);
  const reported = "1 older change in notes cannot be listed or undone";
  expect((await sandbox.run("history")).stdout).toContain(reported);
  expect((await sandbox.run("undo")).stdout).toContain(reported);
  expect((await sandbox.run("redo")).stdout).not.toContain(reported);
  await sandbox.run("recover", "--adopt", TX, "--yes");
  expect((await sandbox.run("history")).stdout).not.toContain("cannot be listed");
  expect(await sandbox.run("undo")).toMatchObject({ exitCode: 0 });
});

test("recover --adopt shows what it would do, asks, and does it after a yes", async () => {
  using dir = tempDir();
  const root = join(dir.path, "notes");
  plant(root, false);
  const config = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(dir.path, config);
  const before = readTree(root);
  const asked = await sandbox.json("recover", "--adopt", TX);
  expect(asked).toMatchObject({ exitCode: 3, report: { error_code: "CONFIRM_REQUIRED" } });
  const shown = String(Object(asked.report)["error"]);
  expect(shown).toMatch(/create evil {2}\+1 -0 {2}mode none → 0755/);
  expect(shown).toContain("delete b.txt");
  expect(shown).toContain("+#!/bin/sh");
  expect(readTree(root)).toEqual(before);
  const done = await sandbox.json("recover", "--adopt", TX, "--yes");
  expect(done).toMatchObject({ exitCode: 0, report: { ok: true, adopted: [TX], left_alone: [] } });
  const image = sha256("#!/bin/sh\n");
  expect(readTree(root)).toEqual({ "a.txt": `file 644 ${image}`, evil: `file 755 ${image}` });
  expect((await sandbox.json("recover", "--adopt", TX, "--yes")).report).toMatchObject({
    error_code: "ERR_ADOPT",
  });
});
