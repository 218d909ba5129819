import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toAppError } from "../../src/core/app-error.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { ledgerAt } from "../support/ledger.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { bunCheck, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

/** Does one thing in a folder that the shell before it made difficult, and prints what happened. */
const [root = "", task = ""] = process.argv.slice(2);

async function work(): Promise<unknown> {
  switch (task) {
    case "apply":
      return applyOnce();
    case "apply a large file":
      return applyOnce((workspace) =>
        changeSetOf(workspace, [
          { kind: "CREATE_FILE", path: "large.txt", content: "large\n".repeat(200_000) },
        ]),
      );
    case "go there and back":
      return goThereAndBack();
    case "fill the disk":
      return fillTheDisk();
    case "fill the database":
      return fillTheDatabase();
    default:
      throw new Error(`unknown task ${task}`);
  }
}

async function applyOnce(compute = crashChangeSet) {
  const nameTree = treeNamer(root);
  const workspace = workspaceAt(root);
  const result = await runTransaction(requestFor(workspace, compute(workspace)));
  return { ...result, tree: nameTree() };
}

async function goThereAndBack() {
  const nameTree = treeNamer(root);
  const workspace = workspaceAt(root);
  const checks = [bunCheck("process.exit(1)")];
  const apply = (options = {}) =>
    runTransaction(requestFor(workspace, crashChangeSet(workspace), options));
  const failed = await apply({ checks });
  const trees = [nameTree()];
  const applied = await apply();
  trees.push(nameTree());
  const undone = await undo(requestFor(workspace, changeSetOf(workspace, [])));
  trees.push(nameTree());
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const litter = names.filter((path) => /\.papa-yu-tx|stage/.test(path));
  return { statuses: [failed.status, applied.status, undone.status], trees, litter };
}

/** Applies with more and more pages free, until that is enough. */
async function fillTheDisk() {
  const rows: unknown[] = [];
  using home = tempDir(); // on a disk with room
  for (let freePages = 0; ; freePages++) {
    const path = join(root, "ws");
    mkdirSync(path);
    writeCrashScene(path);
    const nameTree = treeNamer(path);
    const workspace = { ...workspaceAt(path), ledger: ledgerAt(home.path) };
    const request = requestFor(workspace, crashChangeSet(workspace));
    const filler = fillBut(freePages);
    const result = await runTransaction(request);
    const tree = nameTree();
    rmSync(filler);
    recover(workspace, { log: () => {} });
    const reported = result.ok ? {} : { code: result.code, message: result.message };
    rows.push({ freePages, status: result.status, tree, recovered: nameTree(), ...reported });
    rmSync(path, { recursive: true });
    if (result.ok) return rows;
  }
}

function fillTheDatabase() {
  using store = openStore(join(root, "state.db"));
  store.run("CREATE TABLE growing (x)");
  fillBut(4);
  try {
    for (;;) store.run("INSERT INTO growing VALUES (?)", ["x".repeat(10_000)]);
  } catch (error) {
    const { code, message } = toAppError(error);
    return { code, message, integrity: store.query("PRAGMA integrity_check").get() };
  }
}

function fillBut(freePages: number): string {
  const filler = join(root, "filler");
  const { bavail, bsize } = statfsSync(root);
  writeFileSync(filler, Buffer.alloc(Math.max(0, (bavail - freePages) * bsize)));
  return filler;
}

function treeNamer(path: string): () => string {
  const before = JSON.stringify(readTree(path));
  return () => (JSON.stringify(readTree(path)) === before ? "all old" : "changed");
}

process.stdout.write(JSON.stringify(await work()));
