import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createResearchStore, type StoredResearch } from "../../src/store/online/researches.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const research: StoredResearch = {
  researchId: "res_1",
  workspaceRoot: "/w",
  workspaceEntry: "w",
  userId: "u",
  goal: "почини 👍",
  query: "bun 1.4",
  findings: {
    answerMd: "**yes**\u2028\n",
    confidence: 0.5,
    sources: [{ url: "https://a.example/", title: "A" }],
    notes: "n",
  },
  createdAt: 7,
};

describe("createResearchStore()", () => {
  test("gives back what it was given, also without a user", () => {
    const store = createResearchStore(memoryStore());
    const { userId: _, ...anonymous } = research;
    store.save(research);
    store.save({ ...anonymous, researchId: "res_2" });
    expect(store.load("res_1")).toEqual(research);
    expect(store.load("res_2")).toEqual({ ...anonymous, researchId: "res_2" });
    expect(store.load("' OR 1=1 --")).toBeUndefined();
  });

  test("take() and giveBack() are about one research alone", () => {
    const store = createResearchStore(memoryStore());
    const ids = ["res_1", "res_2"];
    for (const researchId of ids) store.save({ ...research, researchId });
    expect(ids.map((id) => store.take(id)?.researchId)).toEqual(ids);
    store.giveBack("res_1");
    expect(store.take("res_2")).toBeUndefined();
    store.giveBack("res_2");
    expect(store.take("res_1")?.researchId).toBe("res_1");
    expect(store.take("res_2")?.researchId).toBe("res_2");
  });

  test("giveBack() makes it free for one more use", () => {
    const store = createResearchStore(memoryStore());
    store.save(research);
    store.take("res_1");
    store.giveBack("res_1");
    store.giveBack("res_unknown");
    expect([store.take("res_1"), store.take("res_1")]).toEqual([research, undefined]);
  });

  test("take() gives it out once, over a restart too", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const first = openStore(path);
    createResearchStore(first).save(research);
    expect(createResearchStore(first).take("res_1")).toEqual(research);
    first.close();
    const store = createResearchStore(openStore(path));
    expect(store.take("res_1")).toBeUndefined();
    expect(store.take("res_9")).toBeUndefined();
    expect(store.load("res_1")).toEqual(research);
  });

  test("save() keeps the newest 50 of a folder and all others", () => {
    const store = createResearchStore(memoryStore());
    store.save({ ...research, researchId: "elsewhere", workspaceRoot: "/other" });
    for (let i = 1; i <= 51; i++) store.save({ ...research, researchId: `r${i}`, createdAt: -i });
    const has = (id: string) => store.load(id) !== undefined;
    expect(["r1", "r2", "r51", "elsewhere"].map(has)).toEqual([false, true, true, true]);
  });
});
