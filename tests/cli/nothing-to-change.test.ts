import { expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

test("a plan that changes nothing leads to no preview, and its preview to no apply and no checks", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "check.ts": 'console.log("fine");' });
  const sandbox = createSandbox(
    dir.path,
    '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = [["bun", "check.ts"]]\n',
  );
  const goal = "add what a newcomer would miss";
  const first = await sandbox.run("apply", "--goal", goal, "--yes");
  expect(first.stdout).toStartWith("✓ Applied in notes");
  const planned = await sandbox.run("plan", goal);
  const [, planId = ""] = /\nplan (plan_\w+)\n$/u.exec(planned.stdout) ?? [];
  expect(planned.stdout).toStartWith("NO_CHANGES: ");
  const preview = await sandbox.run("preview", planId);
  expect(preview).toMatchObject({ exitCode: 0 });
  expect(preview.stdout).toMatch(/^0 changes in notes \(\w{12}\)\n$/u);
});
