import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { adoptState, describeState } from "../../src/store/adopt-state.ts";
import { createApprovalStore } from "../../src/store/approvals.ts";
import { openState } from "../../src/store/open/open.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";
import { tempDir } from "../support/temp.ts";

/** A home whose database was put there from another one, where a question waits. */
function moved(from: string, to: string): void {
  {
    using store = openState(from);
    createApprovalStore(store).ask({
      kind: "change_set",
      approvalId: "ap_1",
      sessionId: "s",
      userId: "u",
      planId: "p",
      changeSetId: "c",
      createdAt: 1,
      expiresAt: 100,
    });
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  openState(to).close();
  cpSync(join(from, "state.db"), join(to, "state.db"));
}

describe("adoptState()", () => {
  test("makes another home's database this one's, and takes back what waits in it", () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    expect(() => openState(to.path)).toThrow(StateError);
    adoptState(to.path, 5);
    using store = openState(to.path);
    expect(createApprovalStore(store).load("ap_1")?.state).toBe("replaced");
    adoptState(to.path, 6);
    expect(createApprovalStore(store).countWaiting(50)).toBe(0);
  });

  test("says of what is no database that it is none", () => {
    using dir = tempDir();
    openState(dir.path).close();
    cpSync(import.meta.path, join(dir.path, "state.db"));
    expect(() => adoptState(dir.path, 5)).toThrow(StateError);
  });
});

test("describeState() counts what would come with it, and changes nothing", () => {
  using from = tempDir();
  using to = tempDir();
  moved(from.path, to.path);
  {
    using store = openState(from.path);
    store.run("DROP TABLE memories");
  }
  expect(describeState(from.path)).toEqual({ messages: 0, memories: 0, routines: 0, paired: 0 });
  expect(() => openState(to.path)).toThrow(StateError);
});
