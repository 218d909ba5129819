import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Prints more than is shown, and in each run another last line; it fails with a change and without. */
const CHECK = ["sh", "-c", 'seq 40; echo "run $(date +%s%N)"; exit 1'];
const CONFIG = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${JSON.stringify([CHECK])}\n`;
const PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n";

describe.if(hasOverlay)("what says that all of an output is in last-check.log has it there", () => {
  test("of check, preview, what was checked before, apply and undo --check", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "notes/a.txt": "x\n", "p.diff": PATCH });
    const sandbox = createSandbox(dir.path, CONFIG);
    const show = async (...args: string[]) => {
      const { stdout } = await sandbox.run(...args);
      const [run = "no run"] = /run \d+/.exec(stdout) ?? [];
      expect(stdout).toMatch(/\+\d+ ↑ \.papa-yu\/last-check\.log/);
      expect(readFileSync(join(dir.path, "notes/.papa-yu/last-check.log"), "utf8")).toContain(run);
      return run;
    };
    const { report } = await sandbox.json("apply", "--patch", "p.diff", "-w", "notes");
    const planId = String(report["plan_id"]);
    const changeSetId = String(report["change_set_id"]);
    const runs = [await show("check"), await show("preview", planId)];
    await show("check");
    expect(await show("preview", planId)).toBe(runs[1] ?? ""); // nothing ran again
    await show("check");
    await show("apply", planId, "--approve", changeSetId);
    await show("check");
    await show("undo", "--check");
  });
});
