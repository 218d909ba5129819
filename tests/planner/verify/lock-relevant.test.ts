import { expect, test } from "bun:test";
import fc from "fast-check";
import { sha256 } from "../../../src/core/sha256.ts";
import { concernsLocks } from "../../../src/planner/verify/lock-relevant.ts";
import type { Change } from "../../../src/transaction/change.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { createScene, type Line, never, PLAN, planIn } from "../planner-scene.ts";

function concerns(before: string, after: string, path = "package.json"): boolean {
  const bytes = [before, after].map((text) => Buffer.from(text));
  const [from, to] = bytes.map((each) => {
    return { sha256: sha256(each), mode: 0o644, sizeBytes: each.length };
  });
  if (!from || !to) throw new Error("two texts");
  const change: Change = { kind: "update", path, before: from, after: to };
  const contents = new Map(bytes.map((each) => [sha256(each), each] as const));
  return concernsLocks(buildChangeSet([change], contents), change);
}

const BASE = {
  name: "a",
  version: "1.0.0",
  scripts: { test: "a" },
  dependencies: { b: "^1.0.0" },
};
const json = (more: object) => JSON.stringify({ ...BASE, ...more });

test.each([
  [{ scripts: { test: "b", lint: "c" } }, false],
  [{ scripts: undefined }, false],
  [{ description: "x", main: "a.js", jest: {}, files: ["dist"] }, false],
  [{ scripts: { test: "a", postinstall: "x" } }, true],
  [{ dependencies: { b: "^1.0.1" } }, true],
  [{ dependencies: undefined }, true],
  [{ devDependencies: { c: "1" } }, true],
  [{ peerDependencies: { c: "1" } }, true],
  [{ overrides: { c: "1" } }, true],
  [{ resolutions: { c: "1" } }, true],
  [{ workspaces: ["p/*"] }, true],
  [{ packageManager: "pnpm@9.0.0" }, true],
  [{ engines: { node: ">=20" } }, true],
  [{ version: "1.0.1" }, true],
  [{ license: "MIT" }, true],
  [{ pnpm: { overrides: {} } }, true],
  [{ "what nobody knows": 1 }, true],
])("concernsLocks() of a package.json with %j: %p", (more, expected) => {
  expect(concerns(json({}), json(more))).toBe(expected);
  expect(concerns(json(more), json({}))).toBe(expected);
});

test("concernsLocks() of what is no manifest, of another file, and of one that comes or goes", () => {
  for (const wrong of ["", "{", "[]", "1", "null"]) {
    expect(concerns(wrong, json({}))).toBe(true);
    expect(concerns(json({}), wrong)).toBe(true);
  }
  expect(concerns(json({}), json({ description: "x" }), "p/package.json")).toBe(false);
  expect(concerns("a", "b", "Cargo.toml")).toBe(true);
  const bytes = Buffer.from(json({}));
  const state = { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.length };
  const contents = new Map([[state.sha256, bytes] as const]);
  for (const change of [
    { kind: "create", path: "package.json", after: state },
    { kind: "delete", path: "package.json", before: state },
  ] as const) {
    expect(concernsLocks(buildChangeSet([change], contents), change)).toBe(true);
  }
});

test("concernsLocks() does not go by the order in which things are written", () => {
  const parts = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue());
  fc.assert(
    fc.property(parts, (manifest) => {
      const entries = Object.entries(manifest);
      const turned = Object.fromEntries(entries.toReversed());
      expect(concerns(JSON.stringify(manifest), JSON.stringify(turned, null, 2))).toBe(false);
    }),
  );
});

test("a script more in a package.json makes no lock file, and a dependency more does", async () => {
  const shownIn = async (line: string) => {
    const answer: Line = ({ messages }) => {
      const said = messages.map(({ content }) => content).join("\n");
      const base_sha256 = /FILE\[package\.json\] \(sha256=([0-9a-f]{64})/u.exec(said)?.[1];
      const patch = `@@ -1,3 +1,4 @@\n {\n+  ${line},\n   "name": "a"\n }\n`;
      return {
        actions: [{ kind: "PATCH_FILE", path: "package.json", base_sha256, patch }],
        summary: "patches",
      };
    };
    const files = { "package.json": '{\n  "name": "a"\n}\n', "package-lock.json": "{}\n" };
    using scene = createScene(files, [PLAN, answer], { rules: { check: "none" } });
    const planId = await planIn(scene, "change package.json");
    const outcome = await scene.operations.preview(planId, never);
    return outcome.ok ? outcome.preview.generation?.kind : outcome.message;
  };
  expect(await shownIn('"scripts": { "lint": "x" }')).toBeUndefined();
  expect(await shownIn('"dependencies": { "b": "1" }')).toBe("skipped");
});
