import { sha256 } from "../../src/core/sha256.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

/**
 * Updates a file in a process whose user and groups the caller chose, with a check if one is given,
 * and says what was said of it.
 */
const [root = "", path = "", text = "", script] = process.argv.slice(2);
const workspace = workspaceAt(root);
const base = { path, base_sha256: sha256(text) };
const changeSet = changeSetOf(workspace, [
  { kind: "REPLACE_RANGE", ...base, start_line: 1, end_line: 1, content: "new" },
]);
const checks = script === undefined ? [] : [{ name: "test", argv: ["sh", "-c", script] }];
const { ok, status } = await runTransaction(requestFor(workspace, changeSet, { checks }));
process.stdout.write(JSON.stringify({ ok, status, notes: wordNotes(changeSet.notes, NOTES_EN) }));
