import { readHistory } from "../../src/transaction/journal/history.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { silentLog } from "../support/silent-log.ts";
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
  /** How it ended, as its journal and the home say after that; "none": it never began. */
  readonly told: string;
  /** Contents that got their name before the disk had them. */
  readonly unsynced: readonly string[];
}

/** Which calls of an apply fail, one after another: the first one, and every `stride`th behind it. */
export interface FaultSample {
  readonly code: string;
  readonly forGood: boolean;
  readonly stride: number;
  readonly first: number;
}

async function applyWithFault(
  { code, forGood }: FaultSample,
  failAt: number,
): Promise<FaultRow | undefined> {
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
  makeTrouble({ failAt, code, forGood });
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
    told: readHistory(workspace).at(-1)?.status ?? "none",
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

async function applyWithFaults(sample: FaultSample): Promise<readonly FaultRow[]> {
  const rows: FaultRow[] = [];
  for (let failAt = sample.first; ; failAt += sample.stride) {
    const row = await applyWithFault(sample, failAt);
    if (!row) return rows;
    rows.push(row);
  }
}

/** Takes samples as JSON and prints the rows of each. */
const samples: readonly FaultSample[] = JSON.parse(process.argv[2] ?? "[]");
const newTree = await treeAfterApply();
const rows: (readonly FaultRow[])[] = [];
for (const sample of samples) rows.push(await applyWithFaults(sample));
process.stdout.write(JSON.stringify(rows));
