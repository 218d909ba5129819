import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { didYouMean } from "../../src/tools/files/nearest-paths.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const FILES = {
  "src/agent/turn.ts": "",
  "src/agent/turns.ts": "",
  "src/planner/plan.ts": "",
  "docs/README.md": "",
  "docs/guides/start.md": "",
  "secrets/turn.ts": "",
  "private/plan.ts": "",
};

function workspaceAt(root: string, protectedPaths: readonly string[]): Workspace {
  const rules = { check: "none", checkTimeoutMs: 1000, maxActions: 0 } as const;
  return { name: "w", root, ...rules, protectedPaths };
}

test.each([
  ["another place", "src/turn.ts", "file", ['"src/agent/turn.ts"', '"src/agent/turns.ts"']],
  ["another spelling", "src/planner/paln.ts", "file", ['"src/planner/plan.ts"']],
  ["another case", "docs/readme.md", "file", ['"docs/README.md"']],
  ["another ending", "docs/guides/start.txt", "file", ['"docs/guides/start.md"']],
  ["a folder", "src/agents", "folder", ['"src/agent"']],
  ["a folder elsewhere", "guides", "folder", ['"docs/guides"']],
  ["nothing like it", "invoice-2024.pdf", "file", []],
] as const)("didYouMean() names what there is: %s", async (_what, path, what, names) => {
  using dir = tempDir();
  writeTree(dir.path, FILES);
  const workspace = workspaceAt(dir.path, ["private/**"]);
  const advice = names.length === 0 ? "" : `; did you mean ${names.join(" or ")}`;
  expect(await didYouMean(workspace, path, what)).toBe(advice);
});

test.each(["file", "folder"] as const)(
  "didYouMean() never names the %s that was named",
  async (what) => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    const workspace = workspaceAt(dir.path, []);
    const files = Object.keys(FILES);
    const named = what === "file" ? files : files.map((each) => dirname(each));
    for (const path of named) {
      expect(await didYouMean(workspace, path, what)).not.toContain(`"${path}"`);
    }
  },
);
