import { describe, expect, test } from "bun:test";
import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { keptPath, slotOf, transactionPath } from "../../src/transaction/stage/stage.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, requestFor, workspaceAt } from "./scene.ts";

const [OLD, NEW, SAVED] = ["old\n", "new\n", "what somebody saved\n"];

describe("What is written behind the last look into a file that went", () => {
  const action = {
    kind: "REPLACE_RANGE",
    path: "x",
    base_sha256: sha256(OLD),
    start_line: 1,
    end_line: 1,
    content: "new",
  } as const;

  test("is kept and named, also by an undo", async () => {
    using dir = tempDir();
    const path = join(dir.path, "x");
    writeFileSync(path, OLD);
    const workspace = workspaceAt(dir.path);
    const during = (fd: number) => ({
      onStep: (step: string) => void (step === "committed" && overwrite(fd)),
    });
    const first = openSync(path, "r+");
    const applied = await applyActions(workspace, [action], during(first));
    const at = keptPath(applied.txId ?? "", 0, 0);
    const note = { kind: "written late", facts: { path: "x", at } };
    expect(applied).toMatchObject({ ok: true, notes: [note] });
    expect([readFileSync(path, "utf8"), readFileSync(join(dir.path, at), "utf8")]).toEqual([
      NEW,
      SAVED,
    ]);
    const second = openSync(path, "r+");
    const { signal } = new AbortController();
    const request = { workspace, clock: systemClock, log: silentLog, signal, ...during(second) };
    const undone = await undo(request);
    const [kept] = "changeSet" in undone ? undone.changeSet.notes : [];
    expect(kept).toMatchObject({ kind: "written late", facts: { path: "x" } });
    for (const fd of [first, second]) closeSync(fd);
  });

  test("is kept where a kill came before the stage was emptied", async () => {
    using dir = tempDir();
    const path = join(dir.path, "x");
    writeFileSync(path, OLD);
    const workspace = workspaceAt(dir.path);
    const { txId = "" } = await applyActions(workspace, [action]);
    writeFileSync(join(dir.path, slotOf(txId, 0, "x").old), SAVED);
    recover(workspace, { log: silentLog });
    expect(readFileSync(join(dir.path, keptPath(txId, 0, 0)), "utf8")).toBe(SAVED);
    expect(readdirSync(join(dir.path, transactionPath(txId))).toSorted()).toEqual([
      "journal.jsonl",
      "kept-0",
    ]);
  });

  test("is told of nobody where nothing was", async () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "x"), OLD);
    const workspace = workspaceAt(dir.path);
    expect(await applyActions(workspace, [action])).not.toHaveProperty("notes");
    const none = buildChangeSet([], new Map());
    expect(await runTransaction(requestFor(workspace, none))).not.toHaveProperty("notes");
  });
});

function overwrite(fd: number): void {
  ftruncateSync(fd, 0);
  writeSync(fd, SAVED, 0);
}
