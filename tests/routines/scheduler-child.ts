/**
 * A scheduler as a process of its own, for tests that kill it or race two of them.
 * Arguments: database, file of works, time shown, number of routines, step to die at. Each line on
 * stdin is a number of milliseconds to let pass; each is answered with a line.
 */
import { createInterface } from "node:readline";
import { startShared } from "./shared-scheduler.ts";

const [path = "", works = "", shown = "", count = "1", dieAt = ""] = process.argv.slice(2);
const scheduler = startShared(path, works, shown, Number(count), dieAt);
for await (const line of createInterface({ input: process.stdin })) {
  await scheduler.advance(Number(line));
  process.stdout.write("passed\n");
}
