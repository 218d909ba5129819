import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { renderOutcome } from "../../src/channels/render-text.ts";
import { systemClock } from "../../src/core/clock.ts";
import { toFiles } from "../../src/planner/outcome-view.ts";
import type { Action } from "../../src/protocol/response.ts";
import { createLedger } from "../../src/store/ledger.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { EN } from "../../src/texts/en.ts";
import type { ChangeSet } from "../../src/transaction/change.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { describeRecovery, recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import type { TransactionResult } from "../../src/transaction/transaction.ts";
import { redo, type UndoResult, undo } from "../../src/transaction/undo/undo.ts";
import { createDice } from "../support/dice.ts";
import { homeOf } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { readTree } from "../support/tree.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";
import { expectedTree, type Kind, type Life, type Said, type Tree } from "./storm-model.ts";

/**
 * One life of a process in the storm: it recovers, then applies, fails, undoes and redoes until it
 * is killed, and says before and after everything what it begins and what became of it.
 */
const life: Life = JSON.parse(process.argv[2] ?? "{}");
const { root, out, dieAt, trouble } = life;
const filler = join(root, "..", "filler");
const home = homeOf(root);
mkdirSync(home, { recursive: true, mode: 0o700 });
/** Held open, as a daemon holds it. */
using database = openStore(join(home, "state.db"));
const workspace = { ...workspaceAt(root), ledger: createLedger(database, home) };
const dice = createDice(life.seed);
let steps = 0;

const POOL = ["a.txt", "b.sh", "c.bin", "d/e.txt", "d/f/g.txt", "h/i.txt"];

/** What checks do that change no content: links, snapshots, caches. `$FILES` are the change's. */
const CHECKS = [
  "true",
  'cp -al . "$OUT/snapshot-$$"',
  'for f in *.txt d/*.txt; do ln "$f" "$OUT/link-$$-$(basename "$f")"; done',
  "mkdir -p .papa-yu/cache/x; cp -al *.txt *.sh .papa-yu/cache/x; rm -rf .papa-yu/cache/x",
];

/** What goes back as well when the check fails. */
const FAILING = [
  ...CHECKS,
  // A file with another name has its mode from whoever gave it that, and comes back with it.
  "chmod 000 $FILES; find .papa-yu/tx -name 'stage-*' -links 1 -exec chmod 400 {} +",
  "touch -c -d 2001-01-01 $FILES",
  // The other name is outside: a kill in the middle would leave it, and it is the check's own.
  'for f in $FILES; do [ -f "$f" ] && mv "$f" "$OUT/x" && ln "$OUT/x" "$f" && rm "$OUT/x"; done',
  "rm -f $FILES",
  "rm -f .papa-yu/tx/*/stage-*.old",
];

try {
  let isWhole = start();
  for (let op = 0; isWhole && op < life.ops; op++) isWhole = await doOne();
} catch (error) {
  say({ line: "threw", text: String(error) });
}

/** @returns whether the workspace is whole */
function start(): boolean {
  clearUp();
  say({ line: "ready" });
  const recovered = recover(workspace, { log: silentLog, onStep });
  clearUp();
  const open = recovered.filter(({ looked }) => looked.status !== "rolled_back");
  const left = open.flatMap(({ looked }) => [...looked.kept, ...looked.pending]);
  const status = open[0]?.looked.status ?? (recovered.length > 0 ? "rolled_back" : "nothing");
  const text = recovered.map((each) => describeRecovery(workspace, each)).join("\n");
  say({ line: "recovered", status, names: left.map(({ path }) => path), text, ...look() });
  return status !== "incomplete";
}

async function doOne(): Promise<boolean> {
  const kinds: readonly Kind[] = ["apply", "apply", "fail", "fail", "undo", "redo"];
  const kind = kinds[dice(kinds.length)] ?? "apply";
  if (dice(3) === 0) linkAll();
  const changeSet = chooseChanges();
  const target = kind === "apply" ? expectedTree(readTree(root), changeSet.changes) : null;
  makeTrouble(dice(12));
  say({ line: "begin", kind, target });
  const result = await run(kind, changeSet);
  clearUp();
  say({ line: "end", kind, status: result.status, ...words(result), ...look() });
  return result.status !== "incomplete";
}

function run(kind: Kind, changeSet: ChangeSet): Promise<TransactionResult | UndoResult> {
  const { signal } = new AbortController();
  if (kind === "undo" || kind === "redo") {
    const takeBack = kind === "undo" ? undo : redo;
    return takeBack({ workspace, clock: systemClock, log: silentLog, signal, onStep });
  }
  const scripts = kind === "apply" ? CHECKS : FAILING;
  const files = changeSet.changes.map(({ path }) => path).join(" ");
  const script = `exec 2>/dev/null; OUT='${out}'; FILES='${files}'; ${scripts[dice(scripts.length)]}`;
  const argv = ["sh", "-c", `${script}; exit ${kind === "fail" ? 1 : 0}`];
  const checks = [{ name: "test", argv }];
  return runTransaction(requestFor(workspace, changeSet, { checks, onStep }));
}

/** What a person reads, and which paths it names. */
function words(result: TransactionResult | UndoResult) {
  const files = "changeSet" in result ? {} : toFiles(result);
  const { ok, status } = result;
  const failure = ok ? {} : { error: result.message, errorCode: result.code };
  const view = { ok, status, workspace: "w", changes: [], ...files, ...failure };
  const { kept = [], pending = [] } = files;
  return {
    names: [...kept, ...pending.map(({ path }) => path)],
    text: renderOutcome(view, EN),
  };
}

/** One to three changes that fit the tree. */
function chooseChanges(): ChangeSet {
  const tree = readTree(root);
  const paths = new Set(Array.from({ length: 1 + dice(3) }, () => POOL[dice(POOL.length)] ?? ""));
  return changeSetOf(
    workspace,
    [...paths].map((path) => toAction(tree, path)),
  );
}

function toAction(tree: Tree, path: string): Action {
  const content = `${dice(1e9)}\n`.repeat(1 + dice(40));
  if (tree[path] === undefined) return { kind: "CREATE_FILE", path, content };
  if (dice(4) === 0) return { kind: "DELETE_FILE", path };
  const base_sha256 = tree[path].split(" ")[2] ?? "";
  return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 1, end_line: 1, content };
}

/** Second names for whatever is there, as a build tool or a backup makes them. */
function linkAll(): void {
  for (const path of POOL) {
    attempt(() => linkSync(join(root, path), join(out, `${steps}-${dice(1e9)}-${basename(path)}`)));
  }
}

function makeTrouble(pages: number): void {
  if (trouble === "read-only folder") chmodSync(root, 0o555);
  if (trouble !== "full disk") return;
  const { bavail, bsize } = statfsSync(root);
  attempt(() => writeFileSync(filler, Buffer.alloc(Math.max(0, (bavail - pages) * bsize))));
}

/** Ends the trouble; a check that was killed may have left any folder without rights. */
function clearUp(): void {
  rmSync(filler, { force: true });
  openFolders(root);
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== ".papa-yu") openFolders(join(folder, entry.name));
  }
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // not every path is there, and a disk may be full enough
  }
}

function look(): { readonly tree: Tree; readonly committed: number } {
  const committed = readHistory(workspace).filter(({ status }) => status === "committed").length;
  return { tree: readTree(root), committed };
}

/** Where the process dies by itself, in the middle of whatever reaches the disk. */
function onStep(): void {
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, "SIGKILL");
}

function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}
