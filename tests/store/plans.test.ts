import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import {
  createPlanStore,
  findTraced,
  type StoredChangeSet,
  type StoredPlan,
} from "../../src/store/plans/plans.ts";
import { createVerificationStore } from "../../src/store/verifications.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const plan: StoredPlan = {
  planId: "plan_1",
  workspaceRoot: "/w",
  workspaceName: "w",
  workspaceEntry: "w",
  goal: "почини 👍",
  summary: "s",
  protocolVersion: 2,
  messages: [
    { role: "system", content: "rules" },
    { role: "assistant", content: 'says "x"\n' },
  ],
  files: JSON.parse('{"a.txt":"1","__proto__":"2"}'),
  traceId: "trace_1",
  wholeFiles: ["a.ts"],
  contextStats: { context_files_count: 1 },
  createdAt: 7,
};
const changeSet: StoredChangeSet = {
  planId: "plan_1",
  contentId: "c",
  summary: "does it",
  actions: [{ kind: "CREATE_FILE", path: "ü.txt", content: "\u2028\n" }],
  traceId: "trace_2",
  attempts: [2, 1] as const,
  wholeFiles: ["b.ts"],
  createdAt: 8,
};

describe("createPlanStore()", () => {
  test("gives back what it was given, in another process as well", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const first = openStore(path);
    createPlanStore(first).savePlan(plan);
    createPlanStore(first).addChangeSet(changeSet);
    first.close();
    const second = openStore(path);
    const plans = createPlanStore(second);
    expect(plans.loadPlan("plan_1")).toEqual(plan);
    expect(plans.loadChangeSet("plan_1")).toEqual(changeSet);
    second.close();
  });

  test("knows nothing of an id it never saw", () => {
    const plans = createPlanStore(memoryStore());
    expect(plans.loadPlan("' OR 1=1 --")).toBeUndefined();
    expect(plans.loadChangeSet("plan_1")).toBeUndefined();
  });

  test("addChangeSet() keeps the first of a plan", () => {
    const plans = createPlanStore(memoryStore());
    plans.savePlan(plan);
    expect(plans.addChangeSet(changeSet)).toBe(true);
    expect(plans.addChangeSet({ ...changeSet, contentId: "other" })).toBe(false);
    expect(plans.loadChangeSet("plan_1")?.contentId).toBe("c");
  });

  test("addChangeSet() wants a plan that is there", () => {
    const plans = createPlanStore(memoryStore());
    expect(() => plans.addChangeSet(changeSet)).toThrow("FOREIGN KEY");
  });

  test("dropPlan() forgets a plan with its change set, and no other", () => {
    const plans = createPlanStore(memoryStore());
    for (const planId of ["plan_1", "plan_2"]) {
      plans.savePlan({ ...plan, planId });
      plans.addChangeSet({ ...changeSet, planId, contentId: `of ${planId}` });
    }
    expect(plans.loadChangeSet("plan_2")?.contentId).toBe("of plan_2");
    plans.dropPlan("plan_1");
    expect([plans.loadPlan("plan_1"), plans.loadChangeSet("plan_1")]).toEqual([
      undefined,
      undefined,
    ]);
    expect(plans.loadPlan("plan_2")?.planId).toBe("plan_2");
    expect(plans.loadChangeSet("plan_2")).toBeDefined();
  });

  test.each(["messages_json", "files_json", "whole_files_json", "protocol_version"])(
    "loadPlan() gives no plan whose %s cannot be read",
    (column) => {
      using store = memoryStore();
      createPlanStore(store).savePlan(plan);
      store.run(`UPDATE plans SET ${column} = 9`);
      expect(createPlanStore(store).loadPlan("plan_1")).toBeUndefined();
    },
  );

  test.each(["actions_json", "attempts_json", "whole_files_json"])(
    "loadChangeSet() gives none whose %s cannot be read, and another may take its place",
    (column) => {
      using store = memoryStore();
      const plans = createPlanStore(store);
      plans.savePlan(plan);
      plans.addChangeSet(changeSet);
      store.run(`UPDATE change_sets SET ${column} = 9`);
      expect(plans.loadChangeSet("plan_1")).toBeUndefined();
      expect(plans.addChangeSet(changeSet)).toBe(true);
      expect(plans.loadChangeSet("plan_1")).toEqual(changeSet);
    },
  );

  test("savePlan() keeps the newest 200 of a folder, whatever the clock says, and all others", () => {
    const database = memoryStore();
    const plans = createPlanStore(database);
    plans.savePlan({ ...plan, planId: "elsewhere", workspaceRoot: "/other" });
    for (let i = 1; i <= 203; i++) {
      plans.savePlan({ ...plan, planId: `plan_${i}`, createdAt: (i * 7) % 10 });
      if (i === 1) plans.addChangeSet(changeSet);
    }
    const has = (planId: string) => plans.loadPlan(planId) !== undefined;
    expect([1, 2, 3, 4, 203].map((i) => has(`plan_${i}`))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(plans.loadChangeSet("plan_1")).toBeUndefined();
    expect(has("elsewhere")).toBe(true);
  });
});

describe.each([[undefined], ["backwards"]] as const)("plans that are found, stored %s", (order) => {
  /** A plan and a change set for each: id, folder, when, and the traces of both. */
  function open(rows: readonly (readonly [string, string, number, string, string?])[]) {
    const database = memoryStore(order);
    const plans = createPlanStore(database);
    for (const [planId, workspaceRoot, createdAt, traceId, actionsTrace] of rows) {
      plans.savePlan({ ...plan, planId, workspaceRoot, createdAt, traceId, goal: `of ${planId}` });
      if (actionsTrace !== undefined) {
        const made = { planId, traceId: actionsTrace, contentId: `content of ${planId}` };
        plans.addChangeSet({ ...changeSet, ...made });
      }
    }
    return { database, plans };
  }

  test("newest() has those that were stored last, whatever the clock said", () => {
    const { plans } = open([
      ["a", "/w", 9, "t"],
      ["b", "/v", 1, "t"],
      ["c", "/w", 5, "t"],
    ]);
    expect(plans.newest(2)).toEqual([
      { planId: "c", goal: "of c" },
      { planId: "b", goal: "of b" },
    ]);
  });

  test("ofFolder() has those with a change set, the newest first, and what checks added", () => {
    const { database, plans } = open([
      ["early", "/w", 1, "t1", "t2"],
      ["late", "/w", 9, "t3", "t4"],
      ["mid", "/w", 5, "t5", "t6"],
      ["bare", "/w", 7, "t7"],
      ["elsewhere", "/v", 8, "t8", "t9"],
    ]);
    const ids = { baseId: "b", changeSetId: "checked", fingerprint: "f" };
    const result = { resultJson: "{}", addedJson: undefined, createdAt: 1 };
    createVerificationStore(database).save({ planId: "mid", ...ids, ...result });
    const of = (planId: string, traceId: string, checkedId: string | null = null) => {
      return {
        planId,
        goal: `of ${planId}`,
        traceId,
        contentId: `content of ${planId}`,
        checkedId,
      };
    };
    expect(plans.ofFolder("/w")).toEqual([
      of("late", "t4"),
      of("mid", "t6", "checked"),
      of("early", "t2"),
    ]);
  });

  test("findTraced() knows a plan of a folder by its trace, or by that of its actions", () => {
    const { database } = open([
      ["early", "/w", 1, "twice", "t2"],
      ["late", "/w", 9, "twice"],
      ["mid", "/w", 5, "twice"],
      ["elsewhere", "/v", 8, "theirs", "t9"],
    ]);
    const found = (root: string, trace: string) => findTraced(database, root, trace);
    const late = { planId: "late", goal: "of late", traceId: "twice", actionsTraceId: "" };
    expect(found("/w", "twice")).toEqual(late);
    expect(found("/w", "t2")).toEqual({
      planId: "early",
      goal: "of early",
      traceId: "twice",
      actionsTraceId: "t2",
    });
    expect([found("/w", "theirs"), found("/v", "twice"), found("/w", "")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("createVerificationStore(): corrections", () => {
  const made = (step: number, baseId = "c") => {
    return { planId: "plan_1", baseId, step, correctionsJson: `{"step":${step}}` };
  };

  test("of one change set only ever go on, and of another begin anew", () => {
    using store = memoryStore();
    createPlanStore(store).savePlan(plan);
    const verifications = createVerificationStore(store);
    expect(verifications.saveCorrections(made(2))).toBe(true);
    expect(verifications.saveCorrections(made(2))).toBe(false);
    expect(verifications.saveCorrections(made(1))).toBe(false);
    expect(verifications.loadCorrections("plan_1")).toEqual(made(2));
    expect(verifications.saveCorrections(made(3))).toBe(true);
    expect(verifications.saveCorrections(made(1, "other"))).toBe(true);
    expect(verifications.loadCorrections("plan_1")).toEqual(made(1, "other"));
    verifications.dropCorrections("plan_1");
    expect(verifications.loadCorrections("plan_1")).toBeUndefined();
  });

  test("go with their plan, and none are kept without it", () => {
    using store = memoryStore();
    const plans = createPlanStore(store);
    const verifications = createVerificationStore(store);
    expect(verifications.saveCorrections(made(1))).toBe(false);
    plans.savePlan(plan);
    verifications.saveCorrections(made(1));
    plans.dropPlan("plan_1");
    expect(verifications.loadCorrections("plan_1")).toBeUndefined();
  });
});
