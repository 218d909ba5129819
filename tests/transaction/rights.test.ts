import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { toPatchActions } from "../../src/planner/prepare/patch-actions.ts";
import type { Action } from "../../src/protocol/response.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, workspaceAt } from "./scene.ts";

const TEXT = "user = me\nsecret = 1234\nhost = example\n";
const EDITED = TEXT.replace("1234", "5678");

/** A folder with one file of this mode. */
function open(mode: number, text = TEXT) {
  const dir = tempDir();
  writeTree(dir.path, { "conf.txt": text });
  chmodSync(join(dir.path, "conf.txt"), mode);
  return {
    root: dir.path,
    workspace: workspaceAt(dir.path),
    modeOf: (path: string) => lstatSync(join(dir.path, path)).mode & 0o7777,
    [Symbol.dispose]: dir[Symbol.dispose],
  };
}

function actionsOf(
  workspace: Workspace,
  kind: "rename" | "copy",
  hunks: string,
): readonly Action[] {
  const patch = `diff --git a/conf.txt b/settings.txt\n${kind} from conf.txt\n${kind} to settings.txt\n${hunks}`;
  const made = toPatchActions(workspace, patch);
  if (!made.ok) throw new Error(made.message);
  expect(made.modes).toEqual([]);
  return made.actions;
}

const EDIT =
  "--- a/conf.txt\n+++ b/settings.txt\n@@ -1,3 +1 @@\n-user = me\n-secret = 1234\n-host = example\n+all of it is new\n";
const asideOf = (content: string): readonly Action[] => [
  { kind: "CREATE_FILE", path: "settings.txt", content },
  { kind: "DELETE_FILE", path: "conf.txt" },
];

describe("A file by a new name", () => {
  test.each([
    ["rename", "", 0o600],
    ["rename", "", 0o755],
    ["copy", "", 0o640],
    ["rename", EDIT, 0o600],
    ["copy", EDIT, 0o600],
  ] as const)("of a patch (%s%s) keeps the mode %o", async (kind, hunks, mode) => {
    using scene = open(mode);
    const actions = actionsOf(scene.workspace, kind, hunks);
    expect(await applyActions(scene.workspace, actions)).toMatchObject({ ok: true });
    expect(scene.modeOf("settings.txt")).toBe(mode);
  });

  test("keeps it where nothing is in it", async () => {
    using scene = open(0o600, "");
    const actions = actionsOf(scene.workspace, "rename", "");
    expect(await applyActions(scene.workspace, actions)).toMatchObject({ ok: true });
    expect(scene.modeOf("settings.txt")).toBe(0o600);
  });

  test.each([
    [0o600, TEXT],
    [0o600, EDITED],
    [0o750, EDITED],
  ])(
    "of who deletes one of %o and makes one that a preview shows as it keeps the mode",
    (mode, content) => {
      using scene = open(mode);
      const actions = asideOf(content);
      const { changes } = changeSetOf(scene.workspace, actions);
      expect(changes).toMatchObject([{ kind: "create", after: { mode } }, { before: { mode } }]);
    },
  );

  test("is another file than one that has nothing of it", () => {
    using scene = open(0o600);
    const actions = asideOf("nothing of the other\n");
    expect(changeSetOf(scene.workspace, actions).changes).toMatchObject([
      { after: { mode: 0o644 } },
      {},
    ]);
  });

  test("comes with the mode that the old one has when it is computed, and is another change then", () => {
    using scene = open(0o644);
    const shown = changeSetOf(scene.workspace, asideOf(EDITED));
    chmodSync(join(scene.root, "conf.txt"), 0o600);
    const now = changeSetOf(scene.workspace, asideOf(EDITED));
    expect(now.changes).toMatchObject([{ after: { mode: 0o600 } }, {}]);
    expect(now.id).not.toBe(shown.id);
  });

  test("is refused where what it was copied from is gone", () => {
    using scene = open(0o600);
    const away: Action = {
      kind: "CREATE_FILE",
      path: "settings.txt",
      content: TEXT,
      rights_of: "gone.txt",
    };
    const computed = computeChangeSet(scene.workspace, [away]);
    expect(computed).toMatchObject({ ok: false, problems: [{ code: "ERR_NOT_FOUND" }] });
  });

  test("gives the old name its mode back with a roll-back", async () => {
    using scene = open(0o600);
    const before = readTree(scene.root);
    const failing = { checks: [{ name: "no", argv: ["bun", "-e", "process.exit(1)"] }] };
    const actions = actionsOf(scene.workspace, "rename", "");
    expect(await applyActions(scene.workspace, actions, failing)).toMatchObject({ ok: false });
    expect(readTree(scene.root)).toEqual(before);
  });
});

test("A change set that opens a file to more says so, with both modes", () => {
  const state = (mode: number) => ({ sha256: "0".repeat(64), mode, sizeBytes: 1 });
  const words = (before: number, after: number) => {
    const change = {
      kind: "update",
      path: "x",
      before: state(before),
      after: state(after),
    } as const;
    return wordNotes(buildChangeSet([change], new Map()).notes, NOTES_EN);
  };
  expect(words(0o600, 0o644)).toEqual(["x: its mode becomes 644, which lets more in than 600 did"]);
  expect(words(0o644, 0o600)).toEqual([]);
  expect(words(0o640, 0o640)).toEqual([]);
});
