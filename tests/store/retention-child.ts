import { openStore } from "../../src/store/open/open-database.ts";
import { createForgettingRows } from "../../src/store/retention/retention.ts";

/** Goes over everything once, a word a step. */
const { path, limits, now } = JSON.parse(process.argv[2] ?? "");
using store = openStore(path);
const forgetting = createForgettingRows(store);
for (let isLast = false; !isLast; ) {
  ({ isLast } = forgetting.step(limits, now));
  process.stdout.write("step\n");
  await Bun.sleep(1);
}
