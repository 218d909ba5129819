import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createPlanStore } from "../../src/store/plans.ts";
import { tempDir } from "../support/temp.ts";

const plan = {
  planId: "plan_1",
  workspaceRoot: "/w",
  workspaceName: "w",
  goal: "g",
  summary: "s",
  protocolVersion: 2 as const,
  messages: [{ role: "user", content: "q" }] as const,
  files: { "a.ts": "0".repeat(64) },
  traceId: "t",
  wholeFiles: [],
  contextStats: {},
  createdAt: 1,
};

describe("openStore()", () => {
  test("keeps what was stored over a reopen", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const first = openStore(path);
    createPlanStore(first).savePlan(plan);
    first.close();
    expect(createPlanStore(openStore(path)).loadPlan("plan_1")).toEqual(plan);
  });

  test("refuses a file that is no database and says what to do", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    await Bun.write(path, "not a database at all, but long enough to be read as one".repeat(50));
    expect(() => openStore(path)).toThrow(
      /Cannot open the database .* papayu doctor --repair; it asks first and deletes nothing/,
    );
  });

  test("refuses a database of a newer version", () => {
    using dir = tempDir();
    const newer = join(dir.path, "state.db");
    const store = openStore(newer);
    store.run("PRAGMA user_version = 999");
    store.close();
    expect(() => openStore(newer)).toThrow(AppError);
  });
});
