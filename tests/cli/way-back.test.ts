import { describe, expect, test } from "bun:test";
import { linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { CAN_BE_IMMUTABLE, setImmutable } from "../support/immutable.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const GOAL = ["--goal", "add what a newcomer would miss", "-w", "notes", "--yes"];

/** A folder whose check runs this script, outside of every sandbox, and the commands on it. */
function prepare(dir: string, script: string) {
  const root = join(dir, "notes");
  writeTree(root, { "a.txt": "x\n" });
  const check = JSON.stringify([["sh", "-c", script]]);
  const config = `[security]\nsandbox = "none"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
  return { root, sandbox: createSandbox(dir, config) };
}

describe("papayu apply, recover and undo", () => {
  test("take back what a check gave second names, and say so", async () => {
    using dir = tempDir();
    const { root, sandbox } = prepare(dir.path, "cp -l README.md ../twin; exit 1");
    const before = readTree(root);
    expect(await sandbox.json("apply", ...GOAL)).toMatchObject({
      exitCode: 1,
      report: {
        status: "rolled_back",
        touched: true,
        error_code: "AUTO_CHECK_FAILED_ROLLED_BACK",
      },
    });
    expect(readTree(root)).toEqual(before);
    expect((await sandbox.run("recover", "-w", "notes")).stdout).toContain("Nothing to recover");
  });

  test("undo a file that was given a second name since, and leave that name alone", async () => {
    using dir = tempDir();
    const { root, sandbox } = prepare(dir.path, "true");
    const before = readTree(root);
    expect(await sandbox.json("apply", ...GOAL)).toMatchObject({ report: { status: "committed" } });
    linkSync(join(root, "README.md"), join(dir.path, "twin"));
    const made = readTree(root)["README.md"];
    expect(await sandbox.json("undo", "-w", "notes")).toMatchObject({
      exitCode: 0,
      report: { status: "undone", touched: true },
    });
    expect(readTree(root)).toEqual(before);
    expect(readTree(dir.path)["twin"]).toBe(made ?? "");
  });

  test("leave an edit that came in while the check ran, and call it a conflict", async () => {
    using dir = tempDir();
    const { root, sandbox } = prepare(dir.path, "printf mine > README.md; exit 1");
    const { exitCode, report } = await sandbox.json("apply", ...GOAL);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({
      status: "conflict",
      error_code: "ERR_RECOVERY_CONFLICT",
      kept: ["README.md"],
      // Nothing was overwritten, so there is no archive to look into.
      error: expect.stringMatching(/left alone: "README.md" \(new\)$/),
    });
    expect(await Bun.file(join(root, "README.md")).text()).toBe("mine");
    const history = await sandbox.json("history", "-w", "notes");
    expect(history.report).toMatchObject({ entries: [{ status: "conflict" }] });
  });

  test.if(CAN_BE_IMMUTABLE)(
    "name what the machine refused and the command that goes on, which then does",
    async () => {
      using dir = tempDir();
      const { root, sandbox } = prepare(dir.path, "chattr +i README.md; exit 1");
      const before = readTree(root);
      const { exitCode, report } = await sandbox.json("apply", ...GOAL);
      expect(exitCode).toBe(1);
      expect(report).toMatchObject({
        status: "incomplete",
        touched: true,
        error_code: "ERR_ROLLBACK_INCOMPLETE",
        error: expect.stringContaining(`run papayu recover -w ${root}`),
        pending: [{ path: "README.md", reason: expect.stringContaining("EPERM") }],
      });
      const text = (await sandbox.run("recover", "-w", root)).stdout;
      expect(text).toContain("Not rolled back as a whole");
      expect(text).not.toContain("as it was");
      writeFileSync(join(root, "b.txt"), "");
      const other = await sandbox.json("apply", ...GOAL);
      expect(other.exitCode).not.toBe(0);
      expect(other.report).toMatchObject({ error_code: "ERR_ROLLBACK_INCOMPLETE" });
      setImmutable(join(root, "README.md"), false);
      expect(await sandbox.json("recover", "-w", root)).toMatchObject({
        exitCode: 0,
        report: { ok: true, recovered: [{ status: "rolled_back", kept: [], pending: [] }] },
      });
      expect(readTree(root)).toEqual({ ...before, "b.txt": readTree(root)["b.txt"] ?? "" });
    },
  );
});
