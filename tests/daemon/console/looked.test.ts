import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findBase } from "../../../src/daemon/console/versions/looked.ts";
import { createSeenFiles } from "../../../src/daemon/console/versions/seen.ts";
import { createSettings } from "../../../src/store/settings/settings.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { runs } from "../../support/long.ts";

const PATHS = ["a", "b", "c"];
const sha = "0".repeat(64);

/** Versions of one change set, each of which took the place of the one before. */
function open() {
  const settings = createSettings(memoryStore());
  const files = createSeenFiles(() => settings);
  const look = (at: number) => {
    const changes = PATHS.map((path) => {
      return {
        kind: "create",
        path,
        after: { sha256: sha, mode: 0o644 + at, sizeBytes: 1 },
      } as const;
    });
    const changeSet = buildChangeSet(changes, new Map([[sha, Buffer.from("x")]]));
    return { person: "owner", approvalId: `ap_${at}`, workspaceRoot: "/w", changeSet };
  };
  const baseOf = (at: number) => {
    const ticked = files.tickedIn(look(at));
    return findBase(settings, `ap_${at}`, (id) => ticked.has(id));
  };
  return { settings, files, look, baseOf };
}

describe("findBase()", () => {
  test("is the newest version that was ticked or commented on, else the one before, and stays while this one is ticked", () => {
    const anyStep = fc.record({
      ticks: fc.uniqueArray(fc.nat(2)),
      hasSaid: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 5 }), (steps) => {
        const { settings, files, look, baseOf } = open();
        const last = steps.length;
        for (const [at, { ticks, hasSaid }] of steps.entries()) {
          for (const n of ticks) files.mark(look(at), PATHS[n] ?? "", true);
          const comments = hasSaid ? [{ text: "x" }] : [];
          settings.of("earlier.").set(`ap_${at + 1}`, { approvalId: `ap_${at}`, comments });
        }
        // Where a file was ticked again later, the later one is newer all the same.
        const newest = steps.findLastIndex(({ ticks, hasSaid }) => hasSaid || ticks.length > 0);
        const isLooked = newest >= 0;
        const expected = { approvalId: `ap_${isLooked ? newest : last - 1}`, isLooked };
        expect(baseOf(last)).toMatchObject(expected);
        for (const path of PATHS) {
          files.mark(look(last), path, true);
          expect(baseOf(last)).toMatchObject(expected);
        }
      }),
      { numRuns: runs(100, 3000) },
    );
  });

  test("there is none of the first, and questions that name each other come to an end", () => {
    const { settings, baseOf } = open();
    expect(baseOf(0)).toBeUndefined();
    settings.of("earlier.").set("ap_0", { approvalId: "ap_1" });
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0" });
    expect(baseOf(0)).toEqual({ approvalId: "ap_1", isLooked: false });
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0", comments: [{ text: "x" }] });
    expect(baseOf(0)).toEqual({ approvalId: "ap_1", isLooked: false }); // nothing is before itself
  });
});
