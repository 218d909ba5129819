import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineTable } from "../../src/store/routines/routine-table.ts";

// Stores a row in the database that is named, whoever holds that meanwhile, and says what is in there.
process.stdout.write("opening\n");
using store = openStore(process.argv[2] ?? "");
createRoutineTable(store).add({ name: "late", jobJson: "{}" }, 1);
const names = createRoutineTable(store)
  .jobs()
  .map(({ name }) => name);
process.stdout.write(names.join());
