import { silentLog } from "../../src/core/log.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { requestFor, workspaceAt } from "./scene.ts";
import { makeTrouble, readCalls } from "./stepped-fs.ts";

/** What a fault at one call of an apply led to. */
export interface FaultRow {
  readonly step: string;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  /** The workspace after the apply, and after a recovery on a disk that works again. */
  readonly tree: string;
  readonly recovered: string;
  /** Contents that got their name before the disk had them. */
  readonly unsynced: readonly string[];
}

/** Makes every nth call of an apply fail once, one after another, and prints the rows as JSON. */
const [code = "EIO", forGood, stride = "1", first = "1"] = process.argv.slice(2);

async function applyWithFault(failAt: number): Promise<FaultRow | undefined> {
  using dir = tempDir();
  writeCrashScene(dir.path);
  const before = JSON.stringify(readTree(dir.path));
  const workspace = workspaceAt(dir.path);
  const request = requestFor(workspace, crashChangeSet(workspace));
  const nameTree = (): string => {
    const tree = JSON.stringify(readTree(dir.path));
    if (tree === before) return "all old";
    return tree === newTree ? "all new" : "neither";
  };
  makeTrouble({ failAt, code, forGood: forGood === "for good" });
  const result = await runTransaction(request);
  const { calls, failed, unsynced } = readCalls();
  makeTrouble({});
  if (calls < failAt) return undefined;
  const tree = nameTree();
  recover(workspace, { log: silentLog });
  const failure = result.ok ? { code: "", message: "" } : result;
  return {
    step: failed,
    status: result.status,
    code: failure.code,
    message: failure.message,
    tree,
    recovered: nameTree(),
    unsynced,
  };
}

async function treeAfterApply(): Promise<string> {
  using dir = tempDir();
  writeCrashScene(dir.path);
  const workspace = workspaceAt(dir.path);
  await runTransaction(requestFor(workspace, crashChangeSet(workspace)));
  return JSON.stringify(readTree(dir.path));
}

const newTree = await treeAfterApply();
const rows: FaultRow[] = [];
for (let failAt = Number(first); ; failAt += Number(stride)) {
  const row = await applyWithFault(failAt);
  if (!row) break;
  rows.push(row);
}
process.stdout.write(JSON.stringify(rows));
