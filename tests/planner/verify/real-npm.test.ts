import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../../src/system/sandbox/sandbox.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { createScene, never, PLAN } from "../planner-scene.ts";
import { showSeen } from "./view-scene.ts";

const LOCK = '{"name":"a","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{}}\n';

/** A project with a lock file and a package beside it, whose author adds these dependencies. */
function npmScene(dependencies: Readonly<Record<string, string>>) {
  const content = `${JSON.stringify({ name: "a", version: "1.0.0", dependencies })}\n`;
  const actions = [{ kind: "CREATE_FILE", path: "package.json", content }];
  const sandbox = createSandbox({ mode: "bwrap", env: process.env, hidden: [] });
  const files = {
    "package-lock.json": LOCK,
    "b/package.json": '{"name":"b","version":"2.1.0","scripts":{"install":"touch ../ran"}}\n',
  };
  const rules = { check: "none" } as const;
  const lines = [PLAN, { actions, summary: "adds it" }];
  return createScene(files, [...lines, ...lines], { rules, sandbox });
}

test.if(hasOverlay)(
  "npm locks a package of the folder, without a network or a script",
  async () => {
    using scene = npmScene({ b: "file:./b" });
    const { planId, preview, approved } = await showSeen(scene);
    expect(preview.generation).toMatchObject({ kind: "made", leftOut: [] });
    expect(preview.changes.map(({ path, generated }) => [path, generated])).toEqual([
      ["package.json", undefined],
      ["package-lock.json", true],
    ]);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome.status).toBe("committed");
    const { packages } = JSON.parse(readFileSync(join(scene.root, "package-lock.json"), "utf8"));
    expect(packages["b"]).toMatchObject({ version: "2.1.0", hasInstallScript: true });
  },
);

test.if(hasOverlay)("npm says that it needs a network, and what would give it one", async () => {
  using scene = npmScene({ "left-pad": "^1.3.0" });
  const { preview } = await showSeen(scene);
  expect(preview.changes).toHaveLength(1);
  expect(preview.generation).toMatchObject({
    kind: "failed",
    command: "npm install --package-lock-only --ignore-scripts",
    reason: expect.stringContaining("npm error code"),
    hosts: ["packages.a.example"],
  });
});
