import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch, type ScratchKind } from "../../src/system/processes/scratch.ts";

const KINDS: readonly ScratchKind[] = ["door", "demo", "doctor", "probe", "repair"];
const made = KINDS.map((kind) => makeScratch(kind, process.argv[2]));
for (const { path } of made) writeFileSync(join(path, "file"), "x");
process.stdout.write(JSON.stringify(made.map(({ path }) => path)));
setInterval(() => {}, 1000);
