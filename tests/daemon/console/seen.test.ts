import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 } from "../../../src/core/sha256.ts";
import { createMarks } from "../../../src/daemon/console/versions/marks.ts";
import { createSeenFiles } from "../../../src/daemon/console/versions/seen.ts";
import { createSettings } from "../../../src/store/settings/settings.ts";
import type { Change, FileState } from "../../../src/transaction/change.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { runs } from "../../support/long.ts";

const PATHS = ["a", "b", "c/d"];

/** A version in which each path has one of few contents. */
function versionOf(texts: readonly number[]) {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.byteLength };
  };
  const changes = PATHS.map(
    (path, at): Change => ({ kind: "create", path, after: state(`${texts[at] ?? 0}\n`) }),
  );
  return buildChangeSet(changes, contents);
}

function open() {
  const settings = createSettings(memoryStore());
  const files = createSeenFiles(() => settings);
  const look = (texts: readonly number[], approvalId = "ap_0", person = "owner", root = "/w") => ({
    person,
    approvalId,
    workspaceRoot: root,
    changeSet: versionOf(texts),
  });
  return { settings, files, look };
}

describe("createSeenFiles()", () => {
  test("a file is seen while its content is, and changed where a version before was seen", () => {
    const anyTexts = fc.array(fc.nat(2), { minLength: 3, maxLength: 3 });
    const anyStep = fc.record({
      texts: anyTexts,
      ticks: fc.array(fc.tuple(fc.nat(2), fc.boolean())),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 4 }), (steps) => {
        const { settings, files, look } = open();
        const seen = new Map<string, Set<number>>();
        for (const [at, { texts, ticks }] of steps.entries()) {
          if (at > 0) settings.of("earlier.").set(`ap_${at}`, { approvalId: `ap_${at - 1}` });
          const looked = look(texts, `ap_${at}`);
          for (const [n, isSeen] of ticks) {
            const path = PATHS[n] ?? "";
            const own = seen.get(path) ?? new Set();
            seen.set(path, own);
            if (isSeen) own.add(texts[n] ?? 0);
            else own.delete(texts[n] ?? 0);
            expect(files.mark(looked, path, isSeen)).toBe(true);
          }
          const found = files.of(looked);
          for (const [n, path] of PATHS.entries()) {
            const own = seen.get(path) ?? new Set();
            const isSame = own.has(texts[n] ?? 0);
            expect(found.get(path)).toBe(isSame ? "same" : own.size > 0 ? "changed" : undefined);
          }
        }
      }),
      { numRuns: runs(100, 3000) },
    );
  });

  test("nobody else has seen it, nor is it seen in another folder or by a question that knows no other", () => {
    const { files, look } = open();
    files.mark(look([1, 1, 1]), "a", true);
    expect([...files.of(look([1, 2, 2]))]).toEqual([["a", "same"]]);
    expect(files.of(look([1, 1, 1], "ap_0", "telegram:7")).size).toBe(0);
    expect(files.of(look([1, 1, 1], "ap_0", "owner", "/other")).size).toBe(0);
    // The same content in another question is seen; another one says nothing of what was before.
    expect(files.of(look([1, 0, 0], "ap_9")).get("a")).toBe("same");
    expect(files.of(look([2, 0, 0], "ap_9")).get("a")).toBeUndefined();
    expect(files.mark(look([1, 1, 1]), "x", true)).toBe(false);
  });

  test("a tick that is taken back, of what has the same content as before, says nothing of another content", () => {
    const { settings, files, look } = open();
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0" });
    settings.of("earlier.").set("ap_2", { approvalId: "ap_1" });
    files.mark(look([1, 1, 1]), "a", true);
    files.mark(look([1, 1, 1], "ap_1"), "a", false);
    // They have looked at the first one all the same.
    const isTicked = (at: number) => files.isTicked("owner", `ap_${at}`);
    expect([isTicked(0), isTicked(1)]).toEqual([true, false]);
    expect(files.isTicked("telegram:7", "ap_0")).toBe(false);
    expect(files.of(look([1, 1, 1], "ap_1")).size).toBe(0);
    expect(files.of(look([2, 1, 1], "ap_2")).size).toBe(0);
    files.mark(look([1, 1, 1]), "a", true);
    files.mark(look([1, 1, 1]), "a", false);
    expect(isTicked(0)).toBe(false);
    expect([...settings.of("seen.").below(""), ...settings.of("looked.").below("")]).toEqual([]);
  });

  test("questions that name each other come to an end", () => {
    const { settings, files, look } = open();
    settings.of("earlier.").set("ap_0", { approvalId: "ap_1" });
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0" });
    files.mark(look([1, 1, 1], "ap_1"), "a", true);
    expect(files.of(look([2, 1, 1])).get("a")).toBe("changed");
  });
});

test("the signs of marks change with each and stay few", () => {
  const marks = createMarks();
  marks.note("ap_1");
  const before = marks.signs();
  marks.note("ap_1");
  expect(marks.signs()).not.toEqual(before);
  for (let at = 0; at < 200; at++) marks.note(`ap_${at}`);
  expect(marks.signs()).toHaveLength(64);
});
