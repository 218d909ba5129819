import { expect, test } from "bun:test";
import { sha256 } from "../../src/core/sha256.ts";
import {
  type CheckStage,
  type Generation,
  leftOutOf,
  limitOf,
  refusedHosts,
  type SideEffect,
} from "../../src/transaction/change.ts";
import {
  buildChangeSet,
  comparePaths,
  contentOf,
  keepsMode,
} from "../../src/transaction/change-set.ts";

const KINDS = ["mkdir", "create", "update", "delete", "rmdir", "other"] as const;
const effects = (folder: string, kept: boolean): readonly SideEffect[] =>
  KINDS.map((kind) => ({ kind, path: `${folder}/${kind}`, kept }));

test("leftOutOf() names files that commands changed and nobody kept, what made lock files first", () => {
  const made: Generation = { kind: "made", commands: [], paths: [], leftOut: effects("g", false) };
  const files = (folder: string) =>
    ["create", "update", "delete"].map((kind) => `${folder}/${kind}`);
  const sideEffects = [...effects("k", true), ...effects("s", false)];
  expect(leftOutOf({ sideEffects, generation: made })).toEqual([...files("g"), ...files("s")]);
  expect(leftOutOf({ sideEffects, generation: { kind: "skipped", commands: [] } })).toEqual(
    files("s"),
  );
  expect(leftOutOf({ generation: made })).toEqual(files("g"));
  expect(leftOutOf({})).toEqual([]);
});

test("refusedHosts() are those that were asked for in vain, where it failed", () => {
  const failed = {
    kind: "failed",
    command: "c",
    reason: "r",
    hosts: ["a", "b"],
    programs: [],
  } as const;
  expect(refusedHosts(failed)).toEqual(["a", "b"]);
  expect(refusedHosts({ kind: "skipped", commands: [] })).toEqual([]);
  expect(refusedHosts(undefined)).toEqual([]);
});

test("limitOf() is in seconds, of what was allowed or else of what it took", () => {
  const stage: CheckStage = {
    name: "n",
    command: [],
    exitCode: 1,
    durationMs: 61_260,
    timedOut: true,
    output: "",
  };
  expect(limitOf(stage)).toBe("61.3");
  expect(limitOf({ ...stage, limitMs: 60_000 })).toBe("60");
});

test("buildChangeSet() puts folders first and last, paths in order, and lacks no content silently", () => {
  const state = (text: string, mode = 0o644) => ({
    sha256: sha256(text),
    mode,
    sizeBytes: text.length,
  });
  const [before, after] = [state("a"), state("b")];
  const paths = ["b", "a", "a/b", "B"];
  const all = paths.flatMap((path) => [
    { kind: "rmdir", path, mode: 0o755 } as const,
    { kind: "delete", path, before } as const,
    { kind: "update", path, before, after } as const,
    { kind: "create", path, after } as const,
    { kind: "mkdir", path, mode: 0o755 } as const,
  ]);
  const set = buildChangeSet(all, new Map([[before.sha256, Buffer.from("a")]]));
  const order = ["B", "a", "a/b", "b"];
  expect(set.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    ...["mkdir", "create", "update", "delete"].flatMap((kind) =>
      order.map((path) => `${kind} ${path}`),
    ),
    ...order.toReversed().map((path) => `rmdir ${path}`),
  ]);
  expect(String(contentOf(set, before))).toBe("a");
  expect(() => contentOf(set, after)).toThrow(
    `change set ${set.id} lacks the content ${after.sha256}`,
  );
  expect([
    comparePaths({ path: "a" }, { path: "b" }),
    comparePaths({ path: "b" }, { path: "a" }),
  ]).toEqual([-1, 1]);
  expect(comparePaths({ path: "a" }, { path: "a" })).toBe(0);
  const kept = all
    .filter((change) => change.path === "b" && keepsMode(change))
    .map(({ kind }) => kind);
  expect(kept).toEqual(["delete", "update"]);
  expect(keepsMode({ kind: "update", path: "b", before, after: state("b", 0o600) })).toBe(false);
});
