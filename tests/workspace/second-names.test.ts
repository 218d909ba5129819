import { describe, expect, test } from "bun:test";
import { linkSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { resolvePath } from "../../src/workspace/path-guard/path-guard.ts";
import { createFindSecretName } from "../../src/workspace/path-guard/second-names.ts";
import { searchFiles } from "../../src/workspace/search.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

/** A home with a workspace and papa-yu's own folder, and a file outside of all of them. */
function openHome() {
  const dir = tempDir();
  writeTree(dir.path, {
    "home/.ssh/config": "TOKEN",
    "home/.aws/sso/cache/a.json": "TOKEN",
    "home/.config/gh/hosts.yml": "TOKEN",
    "home/.docker/config.json": "TOKEN",
    "home/.npmrc": "TOKEN",
    "home/notes.txt": "TOKEN",
    "own/state.db": "TOKEN",
    "own/skills/x/SKILL.md": "TOKEN",
    "ws/.env": "TOKEN",
    "ws/deep/er/server.pem": "TOKEN",
    "ws/private/plan.md": "TOKEN",
    "ws/secrets/a/b.txt": "TOKEN",
    "ws/.git/config": "TOKEN",
    "ws/.git/objects/ab/cd": "TOKEN",
    "ws/.papa-yu/tx/tx_1/journal.jsonl": "TOKEN",
    "ws/.papa-yu/tx/tx_1/stage-0": "TOKEN",
    "ws/.papa-yu/tx/tx_1/stage-1.old": "TOKEN",
    "ws/node_modules/pkg/index.js": "TOKEN",
    "store/index.js": "TOKEN",
  });
  mkdirSync(join(dir.path, "ws/src"));
  const homes = { person: join(dir.path, "home"), own: join(dir.path, "own") };
  const workspace = { ...workspaceAt(join(dir.path, "ws"), ["private/**"]), homes };
  const link = (from: string) => linkSync(join(dir.path, from), join(dir.path, "ws/src/a.txt"));
  return { workspace, link, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const SECRET = `home/.ssh/config home/.aws/sso/cache/a.json home/.config/gh/hosts.yml
  home/.docker/config.json home/.npmrc own/state.db own/skills/x/SKILL.md ws/.env
  ws/deep/er/server.pem ws/private/plan.md ws/secrets/a/b.txt ws/.git/config
  ws/.papa-yu/tx/tx_1/journal.jsonl`.split(/\s+/);
const HARMLESS = `home/notes.txt store/index.js ws/node_modules/pkg/index.js ws/.git/objects/ab/cd
  ws/.papa-yu/tx/tx_1/stage-0 ws/.papa-yu/tx/tx_1/stage-1.old`;

describe("a second name of a file", () => {
  test.each(SECRET)("of %s is refused by the guard and left out by the search", async (from) => {
    using home = openHome();
    home.link(from);
    const guarded = resolvePath(home.workspace, "src/a.txt", "read");
    expect(guarded).toMatchObject({ ok: false, code: "ERR_PROTECTED_PATH" });
    expect(guarded).toHaveProperty("reason", expect.stringContaining("second name (hard link) of"));
    const found = await searchFiles(home.workspace, { query: "TOKEN", glob: "src/" });
    expect(found.items).toEqual([]);
  });

  test.each(HARMLESS.split(/\s+/u))("of %s is read", async (from) => {
    using home = openHome();
    home.link(from);
    expect(resolvePath(home.workspace, "src/a.txt", "read")).toMatchObject({ ok: true });
    const found = await searchFiles(home.workspace, { query: "TOKEN", glob: "src/" });
    expect(found.items).toHaveLength(1);
  });

  test("costs nothing where there is none: no folder is looked at", () => {
    using home = openHome();
    const gone = { ...home.workspace, root: "/nowhere/at/all" };
    const stat = lstatSync(join(home.workspace.root, ".env"));
    expect(createFindSecretName(gone)(stat)).toBeUndefined();
  });
});
