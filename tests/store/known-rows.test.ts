import { expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApprovalStore } from "../../src/store/approvals.ts";
import { createPairing } from "../../src/store/chats/chats.ts";
import { createKnownRows } from "../../src/store/known-rows.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createSessionStore } from "../../src/store/sessions.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { tempDir } from "../support/temp.ts";

const SOURCES = join(import.meta.dir, "../../src");

function open(path: string) {
  const database = openStore(path);
  const known = createKnownRows(database);
  return {
    database,
    known,
    settings: createSettings(database, () => 0, undefined, known).of("research."),
    sessions: createSessionStore(database, known),
    approvals: createApprovalStore(database, known),
    pairing: createPairing(database, known),
    [Symbol.dispose]: () => database.close(),
  };
}

type Scene = ReturnType<typeof open>;

const QUESTION = {
  kind: "change_set",
  approvalId: "ap_1",
  sessionId: "s",
  userId: "u",
  planId: "plan_1",
  changeSetId: "c",
  createdAt: 1,
  expiresAt: 100,
} as const;

/** Everything that is kept, and a write that changes it. */
const KEPT: Readonly<
  Record<
    string,
    { readonly read: (scene: Scene) => unknown; readonly write: (scene: Scene) => void }
  >
> = {
  "a setting": {
    read: ({ settings }) => settings.get("s"),
    write: ({ settings }) => settings.set("s", "research_1"),
  },
  "what a session remembers": {
    read: ({ sessions }) => sessions.state("s"),
    write: ({ sessions }) => sessions.update("s", "u", { planId: "plan_1" }, 1),
  },
  "that there is no summary": {
    read: ({ sessions }) => sessions.history("s", 10).summary,
    write: ({ sessions }) => sessions.summarise("s", "they spoke", 1),
  },
  "that nothing waits": {
    read: ({ approvals }) => approvals.waiting("s", 10)?.approvalId,
    write: ({ approvals }) => void approvals.ask(QUESTION),
  },
  "who was let in": {
    read: ({ pairing }) => pairing.paired().map(({ userId }) => userId),
    write({ pairing }) {
      const code = pairing.ask({ id: 7, name: "Anna" }, 1);
      pairing.pair(code ?? "", 1);
    },
  },
};

test.each(Object.entries(KEPT))("%s is read once, and as it is now", async (_, { read, write }) => {
  using dir = tempDir();
  using own = open(join(dir.path, "state.db"));
  using other = open(join(dir.path, "state.db"));
  const before = read(own);
  const statements = countStatements(own, () => expect(read(own)).toEqual(before));
  expect(statements.filter((sql) => !/data_version|FROM messages/u.test(sql))).toEqual([]);
  write(own);
  const written = read(own);
  expect(written).not.toEqual(before);
  await new Promise(setImmediate);
  expect(read(other)).toEqual(written);
});

test.each(Object.entries(KEPT))(
  "%s that another program wrote is seen in the next tick",
  async (_, row) => {
    using dir = tempDir();
    using own = open(join(dir.path, "state.db"));
    using other = open(join(dir.path, "state.db"));
    const before = row.read(own);
    row.write(other);
    await new Promise(setImmediate);
    expect(row.read(own)).toEqual(row.read(other));
    expect(row.read(own)).not.toEqual(before);
  },
);

test.each(Object.entries(KEPT))("%s that is taken back is not known", (_, { read, write }) => {
  using dir = tempDir();
  using own = open(join(dir.path, "state.db"));
  const before = read(own);
  const wrong = own.database.transaction(() => {
    write(own);
    expect(read(own)).not.toEqual(before);
    throw new Error("taken back");
  });
  expect(() => wrong.immediate()).toThrow("taken back");
  expect(read(own)).toEqual(before);
});

/**
 * Who writes rows that are kept: each says so, runs before anything is read, or is a program of its
 * own, whose commit is seen.
 */
const WRITERS = [
  // They keep and forget.
  "store/approvals.ts",
  "store/chats/pairing.ts",
  "store/sessions.ts",
  "store/settings/settings.ts",
  // Behind them everything is forgotten: by whoever notes that a chat became another, and by steps of retention.
  "store/retention/row-kinds.ts",
  "store/settings/move-settings.ts",
  "store/settings/prune-settings.ts",
  // Before a daemon, or with none.
  "store/open/migrations.ts",
  "store/repair/salvage.ts",
];

test("rows that are kept have writers that say so, and no others", () => {
  const writes =
    /(?:INTO|UPDATE|DELETE FROM)(?: OR \w+)? (?:settings|sessions|summaries|approvals|paired_users)\b/u;
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const found = files.filter(
    (file) => file.endsWith(".ts") && writes.test(readFileSync(join(SOURCES, file), "utf8")),
  );
  expect(found.toSorted()).toEqual(WRITERS.toSorted());
});

function countStatements({ database }: Scene, work: () => void): readonly string[] {
  using asked = spyOn(database, "query");
  work();
  return asked.mock.calls.map(([sql]) => sql);
}
