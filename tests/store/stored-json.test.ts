import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { parseSend } from "../../src/channels/telegram/message/message.ts";
import { parseStored } from "../../src/channels/telegram/receive/parse-update.ts";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { moveConversation, moveMessages } from "../../src/store/chats/move-chat.ts";
import { createOutbox } from "../../src/store/chats/outbox.ts";
import { createKnownCheckStore } from "../../src/store/known-checks.ts";
import { createResearchStore } from "../../src/store/online/researches.ts";
import { createSearchCache } from "../../src/store/online/search-cache.ts";
import { createPlanStore, type StoredPlan } from "../../src/store/plans/plans.ts";
import { readShapes } from "../../src/store/repair/table-shapes.ts";
import { createSessionStore } from "../../src/store/sessions.ts";
import { parseHeader, parseRecord } from "../../src/transaction/journal/journal-record.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { RUBBISH } from "../support/rubbish.ts";

const PLAN: StoredPlan = {
  planId: "p",
  workspaceRoot: "/w",
  workspaceName: "w",
  goal: "g",
  summary: "s",
  protocolVersion: 3,
  messages: [{ role: "user", content: "g" }],
  files: { "a.txt": "00" },
  wholeFiles: ["a.txt"],
  contextStats: { chars: 1 },
  traceId: "t",
  createdAt: 1,
};
const CHANGE_SET = {
  planId: "p",
  contentId: "c",
  summary: "s",
  actions: [{ kind: "CREATE_FILE", path: "a", content: "" }],
  attempts: [3],
  wholeFiles: [],
  traceId: "t",
  createdAt: 1,
} as const;

const FOLDER = { root: "/w", id: "1" };

function textsOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/**
 * Every column of JSON, and what its readers give: how to make a row, and what is read of it.
 * `good` names the rubbish that is a good value of the column.
 */
const COLUMNS: Readonly<
  Record<
    string,
    {
      readonly good?: readonly string[];
      readonly fill: (store: Database) => void;
      /** Undefined or empty: nothing that could be trusted. */
      readonly read: (store: Database) => unknown;
    }
  >
> = {
  "plans.messages_json": { good: ["[]"], fill: savePlan, read: loadPlan },
  "plans.files_json": { good: ["{}"], fill: savePlan, read: loadPlan },
  "plans.whole_files_json": { good: ["[]"], fill: savePlan, read: loadPlan },
  "plans.parts_json": {
    good: ["[]", `[{"planId":"p","paths":["a"]}]`],
    fill: savePlan,
    read: loadPlan,
  },
  "plans.notes_json": {
    good: ["[]", `[{"said":"s","about":"a"}]`],
    fill: savePlan,
    read: loadPlan,
  },
  "plans.context_stats_json": {
    fill: savePlan,
    read: (store) => Object.keys(createPlanStore(store).loadPlan("p")?.contextStats ?? { x: 1 }),
  },
  "change_sets.actions_json": { good: ["[]"], fill: saveChangeSet, read: loadChangeSet },
  "change_sets.attempts_json": { good: ["[]", "[3]"], fill: saveChangeSet, read: loadChangeSet },
  "change_sets.whole_files_json": { good: ["[]"], fill: saveChangeSet, read: loadChangeSet },
  "messages.message_json": {
    fill(store) {
      const place = { turnId: "t" };
      createSessionStore(store).append("s", [{ role: "user", content: "x" }], 1, place);
    },
    read(store) {
      const sessions = createSessionStore(store);
      return [...sessions.history("s", 9).messages, ...(sessions.turn("s", "t")?.messages ?? [1])];
    },
  },
  "inbox.update_json": {
    fill(store) {
      const row = { sessionId: "telegram:-7", lane: "turn", updateJson: "{}" } as const;
      createInbox(store, 1).add({ ...row, updateId: 1, state: "waiting" }, 1);
    },
    read(store) {
      moveConversation(store, -7, -1007);
      expect(createInbox(store, 1).waitingTexts()).toEqual(["…"]);
      return createInbox(store, 1)
        .waitingTurns("telegram:-1007")
        .flatMap(({ updateJson }) => parseStored(updateJson) ?? []);
    },
  },
  "outbox.payload_json": {
    fill(store) {
      const call = { chatId: "-7", method: "sendMessage", payloadJson: "{}" };
      createOutbox(store).add(call, 1);
    },
    read(store) {
      moveMessages(store, -7, -1007);
      return createOutbox(store)
        .heads()
        .flatMap((row) => parseSend(row) ?? []);
    },
  },
  "search_cache.hits_json": {
    good: ["[]"],
    fill: (store) => createSearchCache(store).save("k", [], 1),
    read: (store) => createSearchCache(store).load("k", 1),
  },
  "researches.research_json": {
    fill(store) {
      const findings = { answerMd: "a", confidence: 1, sources: [] };
      const about = { researchId: "r", workspaceRoot: "/w", goal: "g", query: "q", createdAt: 1 };
      createResearchStore(store).save({ ...about, findings });
    },
    read: (store) => createResearchStore(store).load("r") ?? createResearchStore(store).take("r"),
  },
  "shown_checks.commands_json": {
    good: ["[]"],
    fill(store) {
      savePlan(store);
      createKnownCheckStore(store).show("p", FOLDER, ["[]"]);
    },
    read(store) {
      const known = createKnownCheckStore(store);
      known.seeShown("p", FOLDER);
      return [...known.load(FOLDER)];
    },
  },
  "ways.by_json": {
    fill: saveWay,
    read: (store) => createPlanStore(store).ways.listOf("p"),
  },
  "ways.failed_json": {
    fill(store) {
      saveWay(store);
      const { ways } = createPlanStore(store);
      ways.fail(ways.listOf("p")[0]?.wayId ?? 0, { code: "LLM_REQUEST", message: "no" });
    },
    read: (store) =>
      createPlanStore(store)
        .ways.listOf("p")
        .flatMap(({ failed }) => failed ?? []),
  },
  "ways.patches_json": {
    good: ["[]", "[{}]"],
    fill(store) {
      saveWay(store);
      createPlanStore(store).ways.putOff("p");
      createPlanStore(store).ways.keepPatch("p", { "user.output_format": "md" });
    },
    read: (store) => createPlanStore(store).ways.takePatches("p"),
  },
  "transactions.header_json": {
    fill: (store) => store.run("INSERT INTO transactions VALUES ('w', 't', '{}', NULL)"),
    read(store) {
      const sql = "SELECT header_json AS text FROM transactions";
      const row = store.query<{ text: string }, []>(sql).get();
      return parseHeader(parseRecord(row?.text ?? ""));
    },
  },
};

/**
 * Read elsewhere: by a yes (`tests/agent/asked-call.test.ts`), by the catalog of routines, by the
 * checks of a change set (`tests/planner/verify`).
 */
const ELSEWHERE = [
  "approvals.args_json",
  "baselines.check_json",
  "corrections.corrections_json",
  "routines.job_json",
  "verifications.added_json",
  "verifications.result_json",
];

function savePlan(store: Database): void {
  createPlanStore(store).savePlan(PLAN);
}

function saveWay(store: Database): void {
  createPlanStore(store).savePlan(PLAN, { provider: "p", model: "m" });
}

function loadPlan(store: Database): unknown {
  return createPlanStore(store).loadPlan("p");
}

function saveChangeSet(store: Database): void {
  savePlan(store);
  createPlanStore(store).addChangeSet(CHANGE_SET);
}

function loadChangeSet(store: Database): unknown {
  return createPlanStore(store).loadChangeSet("p");
}

test("every column of JSON has its reader here", () => {
  using store = memoryStore();
  const found = readShapes(store).flatMap(({ table, columns }) =>
    columns.filter(({ name }) => name.endsWith("_json")).map(({ name }) => `${table}.${name}`),
  );
  expect(found.toSorted()).toEqual([...Object.keys(COLUMNS), ...ELSEWHERE].toSorted());
});

describe.each(Object.entries(COLUMNS))("rubbish in %s", (name, { good = [], fill, read }) => {
  const [table, column] = name.split(".");

  test.each(RUBBISH.filter((each) => !good.includes(each)))("%j counts as nothing", (rubbish) => {
    using store = memoryStore();
    fill(store);
    store.query(`UPDATE ${table} SET ${column} = ?`).run(rubbish);
    expect(["null", "[]"]).toContain(textsOf(read(store)));
  });
});

test("a change set that cannot be read blocks no other", () => {
  using store = memoryStore();
  saveChangeSet(store);
  const plans = createPlanStore(store);
  expect(plans.addChangeSet({ ...CHANGE_SET, contentId: "second" })).toBe(false);
  store.run("UPDATE change_sets SET actions_json = '[{}]'");
  expect(plans.addChangeSet({ ...CHANGE_SET, contentId: "third" })).toBe(true);
  expect(plans.loadChangeSet("p")?.contentId).toBe("third");
});
