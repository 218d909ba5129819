import { benchConsole } from "./console.ts";
import { benchHtml } from "./html.ts";
import { benchIdleRoutines } from "./idle-routines.ts";
import { benchLoop } from "./loop.ts";
import { benchPatch } from "./patch.ts";
import { benchPeers } from "./peers.ts";
import { benchReport } from "./report.ts";
import { benchSearch } from "./search.ts";
import { benchSize } from "./size.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";
import { benchTelegram } from "./telegram.ts";
import { benchTransaction } from "./transaction.ts";
import { benchView } from "./view.ts";
import { benchReal } from "./view-real.ts";

/** Every benchmark with its peer in the same run; `bun run bench NAME` runs one. */
const BENCHES: Readonly<Record<string, (folder?: string) => Promise<string>>> = {
  start: benchStart,
  loop: benchLoop,
  peers: benchPeers,
  patch: benchPatch,
  transaction: benchTransaction,
  view: (projects) => (projects === undefined ? benchView() : benchReal(projects)),
  search: benchSearch,
  report: benchReport,
  html: benchHtml,
  telegram: benchTelegram,
  size: benchSize,
  console: benchConsole,
  soak: benchSoak,
  "idle-routines": benchIdleRoutines,
};

const [wanted, folder] = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted !== undefined && wanted !== name) continue;
  process.stdout.write(`## ${name}\n\n${await bench(folder)}\n\n`);
}
