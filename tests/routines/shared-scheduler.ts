import { appendFileSync } from "node:fs";
import { createScheduler } from "../../src/routines/scheduler.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

/** A scheduler on a database that others may have, or have had before they were killed. */
export interface SharedScheduler extends AsyncDisposable {
  advance(ms: number): Promise<void>;
}

/**
 * Starts it.
 *
 * @param works file to which each work and each report adds a line
 * @param shown what its clock shows
 * @param count number of routines: one daily, or more of every minute
 * @param dieAt a step before or after which it kills its process
 */
export function startShared(
  path: string,
  works: string,
  shown: string,
  count: number,
  dieAt = "",
): SharedScheduler {
  const clock = new FakeClock(shown);
  const store = openStore(path);
  const runs = createRoutineRuns(store);
  const isShared = count > 1;
  const schedule = isShared ? "* * * * *" : "0 8 * * *";
  const jobs = Array.from({ length: count }, (_, index) =>
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
  return {
    advance: (ms) => clock.advance(ms),
    async [Symbol.asyncDispose]() {
      await scheduler.stop(patient);
      store.close();
    },
  };
}
