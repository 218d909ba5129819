/** Says which timezone a routine has that names none, at once and with each line on stdin. */
import { createInterface } from "node:readline";
import { toRoutine } from "../../src/routines/routine.ts";
import { routine, toJob } from "./bench.ts";

const say = () => {
  const { timezone, isLocal } = toRoutine({ ...toJob(routine()), timezone: "" }, "config");
  process.stdout.write(`${timezone} ${isLocal}\n`);
};
say();
for await (const _ of createInterface({ input: process.stdin })) say();
