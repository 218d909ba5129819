import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An editor: waits for a transaction's journal, then so many milliseconds, and saves by a rename. */
const [root = "", path = "", waitMs = "0", text = ""] = process.argv.slice(2);
const stages = join(root, ".papa-yu/tx");

function hasBegun(): boolean {
  if (!existsSync(stages)) return false;
  return readdirSync(stages).some((name) => existsSync(join(stages, name, "journal.jsonl")));
}

writeFileSync(`${path}.tmp`, text);
process.stdout.write("ready\n");
while (!hasBegun()) Bun.sleepSync(0.2);
Bun.sleepSync(Number(waitMs));
renameSync(`${path}.tmp`, path);
