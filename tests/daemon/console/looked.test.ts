import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findBases } from "../../../src/daemon/console/versions/looked.ts";
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
  const look = (at: number, paths: readonly string[] = PATHS) => {
    const changes = paths.map((path) => {
      return {
        kind: "create",
        path,
        after: { sha256: sha, mode: 0o644 + at, sizeBytes: 1 },
      } as const;
    });
    const changeSet = buildChangeSet(changes, new Map([[sha, Buffer.from("x")]]));
    return { person: "owner", approvalId: `ap_${at}`, workspaceRoot: "/w", changeSet };
  };
  const baseOf = (at: number) =>
    findBases(settings, `ap_${at}`, (id) => files.isTicked("owner", id))[0];
  return { settings, files, look, baseOf };
}

describe("findBases()", () => {
  test("the newest version that was ticked or commented on is first, else the one before, and stays while this one is ticked or not", () => {
    const anyStep = fc.record({
      ticks: fc.array(fc.tuple(fc.nat(2), fc.boolean())),
      hasSaid: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 5 }), (steps) => {
        const { settings, files, look, baseOf } = open();
        const last = steps.length;
        for (const [at, { ticks, hasSaid }] of steps.entries()) {
          for (const [n, isSeen] of ticks) files.mark(look(at), PATHS[n] ?? "", isSeen);
          const comments = hasSaid ? [{ text: "x" }] : [];
          settings.of("earlier.").set(`ap_${at + 1}`, { approvalId: `ap_${at}`, comments });
        }
        // Where a file was ticked again later, the later one is newer; who took it back did not look.
        const newest = steps.findLastIndex(
          ({ ticks, hasSaid }) => hasSaid || new Map(ticks).values().some(Boolean),
        );
        const isLooked = newest >= 0;
        const expected = { approvalId: `ap_${isLooked ? newest : last - 1}`, isLooked };
        expect(baseOf(last)).toMatchObject(expected);
        for (const isSeen of [true, true, false, false]) {
          for (const path of PATHS) {
            files.mark(look(last), path, isSeen);
            expect(baseOf(last)).toMatchObject(expected);
          }
        }
      }),
      { numRuns: runs(100, 3000) },
    );
  });

  test("a tick counts for its version, whatever files the others have, and for versions in between", () => {
    const anyStep = fc.record({
      paths: fc.subarray(PATHS, { minLength: 1 }),
      ticks: fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.boolean())),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 6 }), (steps) => {
        const { settings, files, look, baseOf } = open();
        const isLookedAt = steps.map(({ paths, ticks }, at) => {
          const own = ticks.filter(([path]) => paths.includes(path));
          for (const [path, isSeen] of own) files.mark(look(at, paths), path, isSeen);
          settings.of("earlier.").set(`ap_${at + 1}`, { approvalId: `ap_${at}` });
          return new Map(own).values().some(Boolean);
        });
        for (let at = 1; at <= steps.length; at++) {
          const newest = isLookedAt.slice(0, at).lastIndexOf(true);
          const isLooked = newest >= 0;
          const expected = { approvalId: `ap_${isLooked ? newest : at - 1}`, isLooked };
          expect(baseOf(at)).toMatchObject(expected);
        }
      }),
      { numRuns: runs(100, 3000) },
    );
  });

  test("of whoever was not asked it is the one just before, whatever was said; that one is behind every other", () => {
    const { settings } = open();
    const comments = [{ text: "x" }];
    settings.of("earlier.").set("ap_2", { approvalId: "ap_1", comments: [] });
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0", comments });
    const first = { approvalId: "ap_1", comments: [], isLooked: false };
    expect(findBases(settings, "ap_2", undefined)).toEqual([first]);
    expect(findBases(settings, "ap_2", () => false)).toEqual([
      { approvalId: "ap_0", comments, isLooked: true },
      first,
    ]);
    expect(findBases(settings, "ap_1", () => false)).toHaveLength(1);
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
