import { existsSync, writeFileSync } from "node:fs";
import { newId } from "../../src/core/ids.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import { HOME, NOW, TRACE, tracedAt } from "./traces-scene.ts";

/** Writes so many traces of so many characters into a folder, once the other writers are there. */
const [root = "", ready = "", go = "", count = "0", chars = "0"] = process.argv.slice(2);
const failed: string[] = [];
const ids = Array.from({ length: Number(count) }, (_, n) => newId("trace", NOW + n));
const log = (_: string, { reason }: { reason?: unknown } = {}) => void failed.push(String(reason));
writeFileSync(ready, "");
while (!existsSync(go)) await Bun.sleep(1);
for (const trace_id of ids) {
  const trace = { ...TRACE, trace_id, error: "x".repeat(Number(chars)) };
  writeTrace(tracedAt(root), trace, { home: () => HOME, redact: (t) => t, log, raw: false });
}
console.log(JSON.stringify({ ids, failed }));
