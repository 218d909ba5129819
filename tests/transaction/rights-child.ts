import { systemClock } from "../../src/core/clock.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

/**
 * Applies actions in a process whose user and groups the caller chose, with a check if one is given,
 * and undoes them where that is asked; says what was said.
 */
const [root = "", json = "[]", script = "", isUndone] = process.argv.slice(2);
const workspace = workspaceAt(root);
const changeSet = changeSetOf(workspace, JSON.parse(json));
const checks = script === "" ? [] : [{ name: "test", argv: ["sh", "-c", script] }];
const result = await runTransaction(requestFor(workspace, changeSet, { checks }));
const notes = wordNotes(changeSet.notes, NOTES_EN);
const said = { status: result.status, notes, message: result.ok ? "" : result.message };
if (isUndone === undefined) process.stdout.write(JSON.stringify(said));
else {
  const { signal } = new AbortController();
  const back = await undo({ workspace, clock: systemClock, log: silentLog, signal });
  const undone = "changeSet" in back ? wordNotes(back.changeSet.notes, NOTES_EN) : [];
  process.stdout.write(JSON.stringify({ ...said, undone }));
}
