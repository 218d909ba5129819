/** Claims and begins a run by hand, as a command in a terminal, and stays in it. Argument: the database. */
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";

const runs = createRoutineRuns(openStore(process.argv[2] ?? ""));
runs.claim({ routine: "tidy", dues: [10], cause: "manual", now: 10, leaseUntil: 20 });
runs.begin("tidy", 10, 10, 20);
process.stdout.write("runs\n");
setInterval(() => {}, 1000);
