import { expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { prepareRepair } from "../../src/store/repair.ts";
import { createRoutineTable } from "../../src/store/routine-table.ts";
import { liveADay } from "../support/state-day.ts";
import { tempDir } from "../support/temp.ts";

test("prepareRepair() takes nothing away that was stored while somebody thought about the yes", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  zeroPage(path, 5);
  const late = { name: "late", jobJson: "{}" };
  {
    using prepared = prepareRepair(dir.path, 1);
    using other = openStore(path);
    createRoutineTable(other).add(late, 1);
    expect(() => prepared.commit()).toThrow(
      /^Cannot finish the repair: .+; nothing was changed; /u,
    );
  }
  expect(readdirSync(dir.path).filter((name) => /^(?:damaged|repair)-/u.test(name))).toEqual([]);
  using again = prepareRepair(dir.path, 2);
  again.commit();
  using repaired = openStore(path);
  expect(createRoutineTable(repaired).jobs()).toContainEqual(late);
});

function zeroPage(path: string, page: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096), 0, 4096, page * 4096);
  closeSync(file);
}
