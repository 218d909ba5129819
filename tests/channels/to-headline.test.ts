import { describe, expect, test } from "bun:test";
import { renderOutcome } from "../../src/channels/render-text.ts";
import { EN } from "../../src/texts/en.ts";
import { RU } from "../../src/texts/ru.ts";
import { ZH } from "../../src/texts/zh.ts";
import type { OutcomeView } from "../../src/transaction/views.ts";

const LANGUAGES = { en: EN, ru: RU, zh: ZH };

const check = { ok: false, sandbox: "none" as const, stages: [] };
const common = { ok: false, workspace: "notes", txId: "tx_1", changes: [], check, error: "why" };

/** What a way back can end with, as the operations tell it. */
const ENDS: readonly OutcomeView[] = [
  { ...common, status: "rolled_back", errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK" },
  { ...common, status: "conflict", errorCode: "ERR_RECOVERY_CONFLICT", kept: ["mine.txt"] },
  {
    ...common,
    status: "incomplete",
    errorCode: "ERR_ROLLBACK_INCOMPLETE",
    kept: ["mine.txt"],
    pending: [{ path: "stuck.txt", reason: "EPERM" }],
  },
];

const PROMISES = { en: "every file", ru: "все файлы", zh: "所有文件" };

describe.each(["en", "ru", "zh"] as const)("The line above an outcome in %s", (language) => {
  const textOf = (outcome: OutcomeView) => renderOutcome(outcome, LANGUAGES[language]);

  test.each(ENDS.map((end) => [end.status, end] as const))(
    "promises that all is back only when it is: %s",
    (status, outcome) => {
      expect(textOf(outcome).includes(PROMISES[language])).toBe(status === "rolled_back");
    },
  );

  test.each(ENDS.map((end) => [end.status, end] as const))(
    "names every path that is not as it was: %s",
    (_, outcome) => {
      const named = [...(outcome.kept ?? []), ...(outcome.pending ?? []).map(({ path }) => path)];
      for (const path of named) expect(textOf(outcome)).toContain(path);
    },
  );
});

describe.each(["en", "ru", "zh"] as const)("An outcome as text in %s", (language) => {
  const { outcome, tries } = LANGUAGES[language];
  const change = { kind: "update", before_sha256: null, after_sha256: null } as const;
  const done: OutcomeView = {
    ok: true,
    workspace: "notes",
    txId: "tx_1",
    status: "committed",
    changes: [],
  };
  const textOf = (each: Partial<OutcomeView>) =>
    renderOutcome({ ...done, ...each }, LANGUAGES[language]);

  test("says of a way back and forth that comes to nothing that nothing was done", () => {
    const one = { ...change, path: "a.txt", added: 2, removed: 0 };
    const said = { undone: outcome.undoneAlready, redone: outcome.redoneAlready };
    for (const status of ["undone", "redone"] as const) {
      expect(textOf({ status })).toStartWith(said[status]("notes"));
      expect(textOf({ status, changes: [one] })).toContain(outcome[status]("notes", 1));
    }
  });

  test("counts the lines of a change only where they were counted", () => {
    const counted = { ...change, path: "a.txt", added: 2, removed: 0 };
    const recalled = { ...change, path: "b.txt", added: 0, removed: 0 };
    const lines = textOf({ changes: [counted, recalled] }).split("\n");
    expect(lines).toContain("  update a.txt +2 -0");
    expect(lines).toContain("  update b.txt");
  });

  test("says of one change that undo takes it back, and of parts what takes all of them", () => {
    expect(textOf({})).toContain(outcome.undoHint("notes"));
    const row = { done: 0, undoable: 2, parts: [] };
    expect(textOf({ row })).not.toContain(outcome.undoHint("notes"));
    expect(textOf({ row })).toContain(tries.series.undoNewest(2, 0));
    expect(tries.series.undoNewest(2, 2)).toContain("papayu undo --series");
  });
});
