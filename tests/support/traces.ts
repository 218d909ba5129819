import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What is in the segments of a workspace, the oldest first, each line that is not empty parsed. */
export function tracesIn(root: string): readonly Record<string, unknown>[] {
  const folder = join(root, ".papa-yu/traces");
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const lines = names.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .toSorted((a, b) => (a.trace_id < b.trace_id ? -1 : 1));
}
