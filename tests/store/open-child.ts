import { openSync } from "node:fs";
import { openState } from "../../src/store/open/open.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";

// Opens the database of a home, with every descriptor taken if so asked, and says what the trouble is.
const [, , home = "", how = ""] = process.argv;
try {
  const most = how === "crowded" ? 100_000 : 0;
  for (let taken = 0; taken < most; taken++) openSync(import.meta.path, "r");
} catch {
  // none is left
}
try {
  openState(home).close();
  process.stdout.write("none");
} catch (error) {
  process.stdout.write(error instanceof StateError ? error.trouble : String(error));
}
