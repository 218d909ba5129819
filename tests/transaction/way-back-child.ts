import { closeSync, openSync } from "node:fs";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { ledgerAt } from "../support/ledger.ts";
import { readTree } from "../support/tree.ts";
import { crashChangeSet } from "./crash-scene.ts";
import { type RequestOptions, requestFor, workspaceAt } from "./scene.ts";

/** Runs a transaction that fails in a process whose limits or user the caller chose. */
const [root = "", task = "", home] = process.argv.slice(2);
const own = workspaceAt(root);
const workspace = home === undefined ? own : { ...own, ledger: ledgerAt(home) };
const before = JSON.stringify(readTree(root));
const held: number[] = [];

/** Takes every descriptor there is before a check, which cannot run then. */
function takeAll(): void {
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    // EMFILE
  }
}

const takesRights = [
  "chmod 000 run.sh text/crlf.txt zero",
  "chmod 555 text",
  "chmod 000 src/deep src",
  "exit 1",
].join("; ");

/** Kills this process as well. */
const cleansAndKills = "rm -rf .papa-yu; kill -9 $PPID; sleep 5";

const check = (script: string) => ({ checks: [{ name: "test", argv: ["sh", "-c", script] }] });
const TASKS: Readonly<Record<string, RequestOptions>> = {
  "full table": { ...check("true"), onProgress: takeAll },
  "no rights": check(takesRights),
  "clean and die": check(cleansAndKills),
};
const options = TASKS[task] ?? {};
const request = requestFor(workspace, crashChangeSet(workspace), options);
const result = await runTransaction(request);
for (const fd of held) closeSync(fd);
const isAsBefore = JSON.stringify(readTree(root)) === before;
process.stdout.write(JSON.stringify({ ...result, taken: held.length, isAsBefore }));
