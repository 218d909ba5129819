import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

function prepare(dir: string, language = "en") {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(
    dir,
    `[default]\nlanguage = "${language}"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`,
  );
}

const ADD = ["routine", "add", "--name", "tidy", "--task", "add what a newcomer would miss"];

describe("papayu routine", () => {
  test("add shows the schedule and three runs on a terminal, and keeps it after a yes", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const words = [...ADD, "-w", "notes", "--schedule", "every monday and friday at 18:00"];
    for (const [answer, kept] of [
      ["n", 0],
      ["y", 1],
    ] as const) {
      await using terminal = sandbox.terminal(...words, "--timezone", "Asia/Kolkata");
      await terminal.waitFor(
        /is 0 18 \* \* 1,5 in Asia\/Kolkata; next:\s+(\S+ 18:00\s+){3}[^]*\[y\/N\] /u,
      );
      terminal.type(`${answer}\n`);
      expect(await terminal.exited).toBe(1 - kept);
      const { report } = await sandbox.json("routine", "list");
      expect(report).toHaveLength(kept);
    }
  });

  test("add refuses what cannot be kept, with exit code 2 and nothing stored", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const refused = await Promise.all([
      sandbox.json(...ADD, "--schedule", "иногда"),
      sandbox.json(...ADD, "--schedule", "0 8 * * *", "-w", "elsewhere"),
      sandbox.json(...ADD, "--schedule", "0 8 * * *", "--mode", "apply"),
      sandbox.json(...ADD, "--schedule", "0 8 * * *", "--max-runs", "many"),
      sandbox.json(...ADD, "--schedule", "0 8 * * *", "--trigger-secret", "literal"),
      sandbox.json(...ADD, "--schedule", "0 8 * * *", "--only-if-changed", "file:///etc/passwd"),
      sandbox.json(...ADD),
      sandbox.json("routine", "add", "--starter", "nope"),
      sandbox.json("routine", "remove", "nope"),
    ]);
    expect(refused.map(({ exitCode }) => exitCode)).toEqual(refused.map(() => 2));
    expect((await sandbox.json("routine", "list")).report).toHaveLength(0);
  });

  test("add --starter keeps one that is switched off, in the language of the interface", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "zh");
    const names = ["morning", "tidy", "report", "dependencies"];
    for (const name of names) {
      const { report } = await sandbox.json("routine", "add", "--starter", name, "-w", "notes");
      expect(report).toMatchObject({ ok: true, name, enabled: false });
    }
    const { report } = await sandbox.json("routine", "enable", "tidy");
    expect(report).toMatchObject({ ok: true, name: "tidy", enabled: true });
  });

  test("run --dry shows plan, diff and cost, and leaves no plan, run or change behind", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await sandbox.run(...ADD, "--schedule", "0 8 * * *", "-w", "notes", "--mode", "apply");
    const before = readTree(join(dir.path, "notes"));
    const { report, exitCode } = await sandbox.json("routine", "run", "tidy", "--dry");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      ok: true,
      dry: true,
      text: expect.stringContaining("README.md"),
      diff: expect.stringContaining("+++ b/README.md"),
      changes: { length: 1 },
      tokens: 0,
      cost: 0,
    });
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
    expect((await sandbox.json("routine", "logs", "tidy")).report).toHaveLength(0);
  });
});
