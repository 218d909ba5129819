import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { ASKED_HOST, FETCHING_NPM, layFetchingNpm } from "../support/fetching-npm.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const PATCH = `--- /dev/null
+++ b/package.json
@@ -0,0 +1 @@
+{}
`;

const WORKSPACE =
  '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = [["sh", "-c", "echo 1 >made.gen; echo 2 >other.gen"]]\n';

describe.if(hasOverlay)("--keep and --reach", () => {
  test("--keep makes files that checks changed a part of what preview shows and apply does", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, WORKSPACE);
    const planned = await sandbox.json("plan", "add what a newcomer would miss");
    const planId = planned.report["plan_id"] ?? "";
    const first = await sandbox.json("preview", planId);
    const kept = await sandbox.json("preview", planId, "--keep", "./made.gen");
    expect(kept.report["change_set_id"]).not.toBe(first.report["change_set_id"]);
    const effects = JSON.stringify(kept.report["side_effects"]);
    expect(effects).toContain('{"path":"made.gen","kind":"create","kept":true}');
    expect(effects).toContain('{"path":"other.gen","kind":"create","kept":false}');
    const done = await sandbox.json("apply", planId, "--keep", "other.gen", "--yes");
    expect(done).toMatchObject({ exitCode: 0, report: { status: "committed" } });
    const made = ["made.gen", "other.gen"].map((name) => Bun.file(join(dir.path, "notes", name)));
    expect(await Promise.all(made.map((file) => file.text()))).toEqual(["1\n", "2\n"]);
  });

  test.each([
    ["no command changed it", "a.txt", ["--keep", "nothing.gen"], ""],
    ["no command ran in a view", "a.txt", ["--keep", "made.gen"], "check = false\n"],
    ["no command that makes lock files ran", "a.txt", ["--reach", "h.example"], ""],
  ])("say that they came to nothing where %s", async (why, path, options, check) => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { [path]: "x\n" });
    const config = check === "" ? WORKSPACE : WORKSPACE.replace(/check = .*\n/u, check);
    const sandbox = createSandbox(dir.path, config);
    const planned = await sandbox.json("plan", "add what a newcomer would miss");
    const planId = planned.report["plan_id"] ?? "";
    for (const command of [["preview"], ["apply", "--yes"]]) {
      const { exitCode, report } = await sandbox.json(...command, planId, ...options);
      expect(exitCode).toBe(0);
      const told = JSON.stringify(report["notes"] ?? []);
      expect(told).toContain(`["${options[1]}: not `);
      expect(told).toContain(`, ${why}`);
    }
  });

  test("--reach lets what makes a lock file reach a host, for this change set", async () => {
    using dir = tempDir();
    const folder = join(dir.path, "notes");
    writeTree(folder, { "a.txt": "x\n" });
    layFetchingNpm(folder);
    const generate = `generate = [${JSON.stringify(FETCHING_NPM)}]\n`;
    const sandbox = createSandbox(
      dir.path,
      WORKSPACE.replace(/check = .*\n/u, `check = false\n${generate}`),
    );
    writeTree(dir.path, { "change.patch": PATCH });
    const patch = join(dir.path, "change.patch");
    const waiting = await sandbox.json("apply", "--patch", patch, "--yes");
    expect(waiting.exitCode).toBe(3);
    const planId = waiting.report["plan_id"] ?? "";
    const done = await sandbox.json("apply", planId, "--reach", ASKED_HOST.toUpperCase(), "--yes");
    expect(done).toMatchObject({ exitCode: 0, report: { status: "committed" } });
    expect(existsSync(join(folder, "package-lock.json"))).toBe(true);
  });

  test("are refused with what is no path or no host, and with an id to approve", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, WORKSPACE);
    const refused = await Promise.all([
      sandbox.json("preview", "plan_1", "--keep", "../x"),
      sandbox.json("apply", "plan_1", "--keep", "/etc/x"),
      sandbox.json("apply", "plan_1", "--keep", "a", "--approve", "0".repeat(64)),
      sandbox.json("apply", "plan_1", "--reach", ASKED_HOST, "--approve", "0".repeat(64)),
      ...["localhost", "127.0.0.1", ".example.org", "http://a.example.org", "a b.org", ""].map(
        (host) => sandbox.json("preview", "plan_1", "--reach", host),
      ),
    ]);
    const usage = { exitCode: 2, report: { error_code: "ERR_USAGE" } };
    expect(refused).toMatchObject(refused.map(() => usage));
  });
});
