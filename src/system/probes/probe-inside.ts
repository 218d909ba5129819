import { readFileSync } from "node:fs";
import type { Attempt } from "./attempt.ts";
import { ATTEMPTS } from "./attempts.ts";
import type { Bait } from "./bait.ts";

// A program of its own: it tries everything where it runs, and prints what came of it as JSON.
const bait: Bait = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const found: Record<string, Attempt> = {};
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  try {
    found[name] = await attempt(bait);
  } catch (error) {
    found[name] = { outcome: "untried", found: String(error) };
  }
}
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
