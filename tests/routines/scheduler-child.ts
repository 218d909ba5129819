/**
 * A scheduler as a process of its own, for tests that kill it or race two of them.
 * Arguments: database, file of works, time shown, number of routines, step to die at. Each line on
 * stdin is a number of milliseconds to let pass; each is answered with a line.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createScheduler } from "../../src/routines/scheduler.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const [path = "", works = "", shown = "", count = "1", dieAt = ""] = process.argv.slice(2);
const clock = new FakeClock(shown);
const runs = createRoutineRuns(openStore(path));
const isShared = Number(count) > 1;
const schedule = isShared ? "* * * * *" : "0 8 * * *";
const jobs = Array.from({ length: Number(count) }, (_, index) =>
  routine({ name: `job-${index}`, schedule, channel: isShared ? "none" : "telegram" }),
);

/** Does `work` unless the process has to die just before it, or after. */
function step<T>(name: string, work: () => T): T {
  if (dieAt === `before ${name}`) process.kill(process.pid, "SIGKILL");
  const result = work();
  if (dieAt === `after ${name}`) process.kill(process.pid, "SIGKILL");
  return result;
}

const scheduler = createScheduler({
  routines: () => jobs,
  runs: {
    ...runs,
    claim: (...claim) => step("claim", () => runs.claim(...claim)),
    begin: (...begin) => step("begin", () => runs.begin(...begin)),
    finish: (...finish) => step("finish", () => runs.finish(...finish)),
    setDelivery: (...delivery) => step("record", () => runs.setDelivery(...delivery)),
  },
  shared: isShared,
  async run({ name }, dueAt) {
    step("work", () => appendFileSync(works, `${name} ${dueAt}\n`));
    return { state: "ok", output: "done" };
  },
  async deliver(_channel, text) {
    step("send", () => appendFileSync(works, `reported ${text.split("\n")[0]}\n`));
    return "queued";
  },
  switchOff() {},
  texts: () => textsIn("en"),
  clock,
  log() {},
});
scheduler.start();
for await (const line of createInterface({ input: process.stdin })) {
  await clock.advance(Number(line));
  process.stdout.write("passed\n");
}
