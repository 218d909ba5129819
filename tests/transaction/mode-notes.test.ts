import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { toUndoOutcome } from "../../src/planner/outcome-view.ts";
import type { Action } from "../../src/protocol/response.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { isOnModes, notesOnModes } from "../../src/transaction/mode-notes.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const TEXT = "one\ntwo\n";
const UPDATE: Action = {
  kind: "REPLACE_RANGE",
  path: "tool",
  base_sha256: sha256(TEXT),
  start_line: 1,
  end_line: 1,
  content: "1",
};
const DELETE: Action = { kind: "DELETE_FILE", path: "tool" };

const BITS = [
  [0o4755, "set-user-id", "chmod u+s"],
  [0o2755, "set-group-id", "chmod g+s"],
  [0o6755, "set-user-id and set-group-id", "chmod u+s,g+s"],
  [0o1755, "sticky", "chmod +t"],
] as const;

/** A file whose mode has more than rights. */
function open(mode: number) {
  const dir = tempDir();
  writeTree(dir.path, { tool: TEXT, plain: TEXT });
  const path = join(dir.path, "tool");
  chmodSync(path, mode);
  expect(lstatSync(path).mode & 0o7777).toBe(mode);
  return { path, workspace: workspaceAt(dir.path), [Symbol.dispose]: dir[Symbol.dispose] };
}

describe("A file with a bit that papa-yu gives to nothing", () => {
  test.each(BITS)(
    "%o: the preview says that it is lost, and so does the journal",
    async (mode, name, command) => {
      using scene = open(mode);
      const { path, workspace } = scene;
      const changeSet = changeSetOf(workspace, [UPDATE]);
      const note = `tool: loses its ${name} bit, which papa-yu gives to nothing; ${command} puts it back`;
      expect(wordNotes(changeSet.notes, NOTES_EN)).toEqual([note]);
      expect(await runTransaction(requestFor(workspace, changeSet))).toMatchObject({ ok: true });
      expect(lstatSync(path).mode & 0o7777).toBe(0o755);
      const made = readHistory(workspace).at(-1)?.changes ?? [];
      expect(wordNotes(notesOnModes(made), NOTES_EN)).toEqual([note]);
    },
  );

  test("is another file than the one that was shown without the bit", async () => {
    using scene = open(0o755);
    const { path, workspace } = scene;
    const changeSet = changeSetOf(workspace, [UPDATE]);
    expect(changeSet.notes).toEqual([]);
    chmodSync(path, 0o4755);
    expect(changeSetOf(workspace, [UPDATE]).id).not.toBe(changeSet.id);
    const result = await runTransaction(requestFor(workspace, changeSet));
    expect(result).toMatchObject({ ok: false, code: "ERR_CHANGE_SET_STALE" });
    expect(lstatSync(path).mode & 0o7777).toBe(0o4755);
  });

  test.each([
    ["update", UPDATE],
    ["delete", DELETE],
  ] as const)("an undo of its %s says that it comes back without", async (_kind, action) => {
    using scene = open(0o4755);
    const { path, workspace } = scene;
    expect(await applyActions(workspace, [action])).toMatchObject({ ok: true });
    const { signal } = new AbortController();
    const result = await undo({ workspace, clock: systemClock, log: silentLog, signal });
    expect(toUndoOutcome(workspace, result)).toMatchObject({
      status: "undone",
      notes: [{ kind: "back without bits", facts: { path: "tool", flags: ["u+s"] } }],
    });
    expect(lstatSync(path).mode & 0o7777).toBe(0o755);
  });

  test("goes back as itself, or the roll-back says what it lacks", async () => {
    for (const script of ["exit 1", "rm -rf .papa-yu/tx/*/stage-*; exit 1"]) {
      using scene = open(0o4755);
      const { path, workspace } = scene;
      const checks = [{ name: "test", argv: ["sh", "-c", script] }];
      const result = await applyActions(workspace, [UPDATE], { checks });
      expect(result).toMatchObject({ status: "rolled_back" });
      const isWhole = (lstatSync(path).mode & 0o7777) === 0o4755;
      const message = result.ok ? "" : result.message;
      expect(message.includes("every file is as before")).toBe(isWhole);
      expect(message.includes("tool: is back without its set-user-id bit")).toBe(!isWhole);
    }
  });

  test.each([
    [{ kind: "loses bits", facts: { path: "a", flags: ["u+s"] } }, true],
    [{ kind: "had bits", facts: { path: "a", flags: ["u+s"] } }, true],
    [{ kind: "back without bits", facts: { path: "a", flags: ["u+s"] } }, false],
    ["loses bits", false],
  ] as const)("isOnModes(%o) is %s", (note, expected) => {
    expect(isOnModes(note)).toBe(expected);
  });

  test("is not mentioned where nothing is lost", () => {
    using scene = open(0o4755);
    const action = { kind: "DELETE_FILE", path: "plain" } as const;
    expect(changeSetOf(scene.workspace, [action]).notes).toEqual([]);
  });
});
