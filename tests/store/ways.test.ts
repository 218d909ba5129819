import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { createPlanStore, type PlannedBy, type StoredPlan } from "../../src/store/plans/plans.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const by = (model: string, temperature = 0): PlannedBy => ({ provider: "p", model, temperature });

const planOf = (planId: string): StoredPlan => ({
  planId,
  workspaceRoot: "/w",
  workspaceName: "w",
  goal: "g",
  summary: "s",
  protocolVersion: 2,
  messages: [],
  files: {},
  wholeFiles: [],
  contextStats: {},
  traceId: "t",
  createdAt: 1,
});

/** A store with the first plan of a goal. */
function open() {
  const store = memoryStore();
  const plans = createPlanStore(store);
  plans.savePlan(planOf("first"), by("a"));
  return { store, plans, ways: plans.ways };
}

const begin = (ways: ReturnType<typeof open>["ways"], work: string, candidates: PlannedBy[]) =>
  ways.begin({ goalId: "first", work, candidates, most: 3 });

describe("createWayStore()", () => {
  test("begin() takes the first author that no way to the goal has been by, up to the most", () => {
    const { ways, plans } = open();
    const all = [by("a"), by("a", 1), by("b"), by("c")];
    expect(begin(ways, "1", all)?.by).toEqual(by("a", 1));
    expect(begin(ways, "2", all)?.by).toEqual(by("b"));
    expect(begin(ways, "3", all)).toBeUndefined();
    expect(ways.listOf("first").map((way) => way.planId)).toEqual(["first", undefined, undefined]);
    plans.savePlan(planOf("alone"), by("a"));
    expect(
      ways.begin({ goalId: "alone", work: "4", candidates: [by("a")], most: 3 }),
    ).toBeUndefined();
  });

  test("begin() gives the same work the same way again, planned or not, also where all are used up", () => {
    const { ways, plans } = open();
    const all = [by("a"), by("b"), by("c")];
    const begun = begin(ways, "1", all);
    begin(ways, "2", all);
    expect(begin(ways, "1", all)).toEqual(begun);
    plans.savePlan(planOf("other"), by("served"), begun?.wayId);
    expect(begin(ways, "1", all)).toMatchObject({ planId: "other", by: by("served") });
    expect(ways.listOf("other")).toEqual(ways.listOf("first"));
    expect(ways.listOf("other")).toHaveLength(3);
  });

  test("begin() takes another author for a work whose own the configuration has no more", () => {
    const { ways } = open();
    const begun = begin(ways, "1", [by("b")]);
    expect(begin(ways, "1", [by("a"), by("c")])).toMatchObject({
      wayId: begun?.wayId,
      by: by("c"),
    });
    expect(ways.listOf("first")).toHaveLength(2);
  });

  test("begin() knows no goal of a plan that nobody is noted for, nor of one that is gone", () => {
    const { ways, plans } = open();
    plans.savePlan(planOf("old"));
    expect(ways.listOf("old")).toEqual([]);
    const wanted = { work: "1", candidates: [by("b")], most: 3 };
    expect(ways.begin({ ...wanted, goalId: "old" })).toBeUndefined();
    plans.dropPlan("first");
    expect(ways.begin({ ...wanted, goalId: "first" })).toBeUndefined();
    expect(ways.listOf("first")).toEqual([]);
  });

  test("a way counts on where its plan is forgotten, and one by nobody knows tells of none", () => {
    const { ways, plans, store } = open();
    const begun = begin(ways, "1", [by("b")]);
    plans.savePlan(planOf("other"), by("b"), begun?.wayId);
    plans.dropPlan("other");
    expect(ways.listOf("first")).toHaveLength(2);
    store.run("UPDATE ways SET by_json = '{\"provider\":1}' WHERE plan_id IS NULL");
    expect(ways.listOf("first")).toEqual([]);
  });

  test("fail() is told until a plan comes of it, and addFailed() takes the place of one", () => {
    const { ways, plans } = open();
    const failed = { code: "LLM_REQUEST", message: "it is down" } as const;
    const begun = begin(ways, "1", [by("b")]);
    ways.fail(begun?.wayId ?? 0, failed);
    ways.addFailed("first", by("c"), failed);
    ways.addFailed("nobody's", by("d"), failed);
    const told = () => ways.listOf("first").map((way) => [way.by.model, way.failed]);
    expect(told()).toEqual([
      ["a", undefined],
      ["b", failed],
      ["c", failed],
    ]);
    expect(begin(ways, "2", [by("b"), by("c"), by("d")])).toBeUndefined();
    plans.savePlan(planOf("other"), by("b"), begun?.wayId);
    expect(told()).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", failed],
    ]);
  });

  test("two processes begin two ways, and never one too many", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const [one, other] = [openStore(path), openStore(path)];
    createPlanStore(one).savePlan(planOf("first"), by("a"));
    const stores = [one, other].map((each) => createPlanStore(each).ways);
    const all = [by("a"), by("b"), by("c"), by("d")];
    const begun = stores.map((ways, index) => begin(ways, `${index}`, all)?.by.model);
    expect(begun).toEqual(["b", "c"]);
    for (const ways of stores) expect(begin(ways, crypto.randomUUID(), all)).toBeUndefined();
    one.close();
    other.close();
  });

  test("join() makes plans that were made side by side one goal's, and moves no other's", () => {
    const { ways, plans } = open();
    for (const id of ["second", "third"]) plans.savePlan(planOf(id), by(id));
    const begun = ways.begin({ goalId: "third", work: "w", candidates: [by("x")], most: 3 });
    plans.savePlan(planOf("its"), by("x"), begun?.wayId);
    ways.join(["first", "second", "its"]);
    expect(ways.listOf("second").map(({ planId }) => planId)).toEqual(["first", "second"]);
    expect(ways.listOf("its").map(({ planId }) => planId)).toEqual(["third", "its"]);
    ways.join([]);
  });

  test("what an author wants remembered waits only where it was put off, and is given once", () => {
    const { ways, plans } = open();
    expect(ways.keepPatch("first", { a: 1 })).toBe(false);
    expect(ways.takePatches("first")).toEqual([]);
    ways.putOff("first");
    expect(ways.keepPatch("first", { a: 1 })).toBe(true);
    expect(ways.keepPatch("first", { b: 2 })).toBe(true);
    expect(ways.takePatches("first")).toEqual([{ a: 1 }, { b: 2 }]);
    expect(ways.takePatches("first")).toEqual([]);
    const begun = begin(ways, "1", [by("b")]);
    plans.savePlan(planOf("other"), by("b"), begun?.wayId);
    expect(ways.keepPatch("other", { c: 3 })).toBe(true);
    expect(ways.keepPatch("nobody", { c: 3 })).toBe(false);
  });
});
