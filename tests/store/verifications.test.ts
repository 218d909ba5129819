import { describe, expect, test } from "bun:test";
import { createPlanStore } from "../../src/store/plans/plans.ts";
import { createVerificationStore } from "../../src/store/verifications.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { cross, fill, rowsOf } from "./grid.ts";

/** A store with two plans, for what is kept of each. */
function withPlans(...planIds: readonly string[]) {
  const store = memoryStore();
  const plans = createPlanStore(store);
  for (const planId of planIds) {
    plans.savePlan({
      planId,
      workspaceRoot: "/w",
      workspaceName: "w",
      workspaceEntry: "w",
      goal: "g",
      summary: "s",
      protocolVersion: 2,
      messages: [],
      files: {},
      traceId: "t",
      wholeFiles: [],
      contextStats: {},
      createdAt: 7,
    });
  }
  return { store, plans, verifications: createVerificationStore(store) };
}

const verified = (planId: string, resultJson: string) => ({
  planId,
  baseId: "base",
  changeSetId: "shown",
  fingerprint: "print",
  resultJson,
  addedJson: undefined,
  createdAt: 8,
});
const FOLDER = { root: "/w", id: "1" };

describe("createVerificationStore()", () => {
  test("keeps the newest of each plan, and drops what is of the one plan alone", () => {
    const { store, verifications } = withPlans("one", "two");
    using _ = store;
    for (const planId of ["one", "two", "gone"]) {
      verifications.save(verified(planId, `"old of ${planId}"`));
      verifications.save({ ...verified(planId, `"new of ${planId}"`), addedJson: "{}" });
      const step = { planId, baseId: "base", step: 1, correctionsJson: `"of ${planId}"` };
      verifications.saveCorrections(step);
      verifications.noteShown(planId, "id", `old of ${planId}`);
      verifications.noteShown(planId, "id", `new of ${planId}`);
      verifications.noteShown(planId, "other id", `other of ${planId}`);
    }
    expect(verifications.load("gone")).toBeUndefined();
    expect(verifications.loadCorrections("gone")).toBeUndefined();
    expect(verifications.loadShown("gone", "id")).toBeUndefined();
    for (const planId of ["one", "two"]) {
      const expected = { ...verified(planId, `"new of ${planId}"`), addedJson: "{}" };
      expect(verifications.load(planId)).toEqual(expected);
      expect(verifications.loadShown(planId, "id")).toBe(`new of ${planId}`);
      expect(verifications.loadShown(planId, "other id")).toBe(`other of ${planId}`);
      expect(verifications.loadShown(planId, "no id")).toBeUndefined();
      verifications.noteShown(planId, "other ids", `more of ${planId}`);
      expect(verifications.findShown(planId, "id")).toBe("id");
      expect(verifications.findShown(planId, "other ids")).toBe("other ids");
      expect(verifications.findShown(planId, "other")).toBeUndefined(); // two begin so
      expect(verifications.findShown(planId, "other id")).toBeUndefined();
    }
    verifications.drop("one");
    verifications.dropCorrections("one");
    expect(verifications.load("one")).toBeUndefined();
    expect(verifications.loadCorrections("one")).toBeUndefined();
    expect(verifications.load("two")?.resultJson).toBe('"new of two"');
    expect(verifications.loadCorrections("two")?.correctionsJson).toBe('"of two"');
  });

  test("takes what has nothing added for that", () => {
    const { store, verifications } = withPlans("one");
    using _ = store;
    verifications.save(verified("one", "{}"));
    expect(verifications.load("one")).toEqual(verified("one", "{}"));
  });

  test("keeps the newest baseline of a folder, of the newest fifty folders", () => {
    using store = memoryStore();
    const verifications = createVerificationStore(store);
    const save = (folder: number, fingerprint: string) =>
      verifications.saveBaseline({
        workspaceRoot: `/${folder}`,
        fingerprint,
        checkJson: `"${folder} ${fingerprint}"`,
        createdAt: 1,
      });
    for (let folder = 1; folder <= 50; folder++) save(folder, "old");
    save(1, "new"); // of a known folder: the others stay
    expect(verifications.loadBaseline("/1", "old")).toBeUndefined();
    expect(verifications.loadBaseline("/1", "new")).toBe('"1 new"');
    expect(verifications.loadBaseline("/2", "old")).toBe('"2 old"');
    save(51, "old");
    const kept = rowsOf(store, "baselines").map((row) => row["workspace_root"]);
    expect(kept).toEqual([...Array.from({ length: 48 }, (_, i) => `/${i + 3}`), "/1", "/51"]);
  });
});

describe("createVerificationStore().known", () => {
  test("knows the checks of one folder, not of another at its path nor of another path", () => {
    using store = memoryStore();
    const { known } = createVerificationStore(store);
    const elsewhere = { root: "/v", id: "1" };
    known.see(FOLDER, ["a"]);
    known.see(elsewhere, ["b"]);
    known.took(FOLDER, new Map([["a", 3.4]]));
    known.took(FOLDER, new Map([["c", 5.5]]));
    known.see({ ...FOLDER, id: "2" }, []); // nothing is known of another folder by that
    const expected = new Map([
      ["a", { isSeen: true, tookMs: 3 }],
      ["c", { isSeen: false, tookMs: 6 }],
    ]);
    expect(known.load(FOLDER)).toEqual(expected);
    known.see(FOLDER, ["a"]); // the time stays
    expect(known.load(FOLDER)).toEqual(expected);
    expect(known.load({ ...FOLDER, id: "2" })).toEqual(new Map());
    known.took({ ...FOLDER, id: "2" }, new Map([["a", 1]]));
    expect(known.load({ ...FOLDER, id: "2" })).toEqual(
      new Map([["a", { isSeen: false, tookMs: 1 }]]),
    );
    expect(known.load(FOLDER)).toEqual(new Map());
    expect(known.load(elsewhere)).toEqual(new Map([["b", { isSeen: true }]]));
  });

  test("counts its own folders' checks as seen, those alone", () => {
    using store = memoryStore();
    const { known } = createVerificationStore(store, [
      { root: "/w", commands: ["ours"] },
      { root: "/v", commands: ["theirs"] },
    ]);
    known.took(FOLDER, new Map(["ours", "theirs"].map((command) => [command, 2])));
    expect(known.load(FOLDER)).toEqual(
      new Map([
        ["ours", { isSeen: true, tookMs: 2 }],
        ["theirs", { isSeen: false, tookMs: 2 }],
      ]),
    );
  });

  test("counts as seen what was shown with that plan of that folder", () => {
    const { store, verifications } = withPlans("one", "two", "three");
    using _ = store;
    const { known } = verifications;
    known.show("three", FOLDER, ["nobody agreed to"]);
    known.show("one", FOLDER, ["old"]);
    known.show("one", FOLDER, ["a"]);
    known.show("two", { ...FOLDER, id: "2" }, ["b"]);
    known.show("gone", FOLDER, ["c"]);
    for (const planId of ["one", "two", "gone"]) known.seeShown(planId, FOLDER);
    expect(known.load(FOLDER)).toEqual(new Map([["a", { isSeen: true }]]));
  });

  test("forgets the oldest that nobody has seen first: of a folder, and of all", () => {
    using store = memoryStore();
    const { known } = createVerificationStore(store);
    known.see(FOLDER, ["seen"]);
    known.took({ root: "/v", id: "1" }, new Map([["other", 1]]));
    known.took(FOLDER, new Map(Array.from({ length: 200 }, (_, i) => [`c${i}`, 1])));
    const kept = [...known.load(FOLDER).keys()];
    expect(kept.toSorted()).toEqual(
      ["seen", ...Array.from({ length: 199 }, (_, i) => `c${i + 1}`)].toSorted(),
    );
    expect(known.load({ root: "/v", id: "1" }).size).toBe(1);
    // As many more as are kept of all: the one that nobody has seen goes, the older one stays.
    const roots = Array.from({ length: 24 }, (_, i) => `/${i}`);
    const commands = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const rows = cross({ workspace_root: roots, command: commands }, () => {
      return { folder_id: "1", is_seen: 1 };
    });
    fill(store, "known_checks", rows);
    known.took({ root: "/u", id: "1" }, new Map([["newest", 1]]));
    expect(store.query("SELECT count(*) AS n FROM known_checks").get()).toEqual({ n: 5000 });
    expect([...known.load(FOLDER).keys()]).toContain("seen");
    expect([...known.load(FOLDER).keys()]).not.toContain("c1");
    expect(known.load({ root: "/v", id: "1" }).size).toBe(0);
    expect(known.load({ root: "/u", id: "1" }).size).toBe(1);
  });
});
