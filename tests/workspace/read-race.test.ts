import { expect, test } from "bun:test";
import { join } from "node:path";
import { listFiles } from "../../src/workspace/files.ts";
import { resolvePath } from "../../src/workspace/path-guard/path-guard.ts";
import { readTextFile, readWholeFile } from "../../src/workspace/read-file.ts";
import { searchFiles } from "../../src/workspace/search.ts";
import { readSmallText } from "../../src/workspace/skills/read-small-text.ts";
import { readSkillFile } from "../../src/workspace/skills/skill-files.ts";
import { findSkills, type Skill, type SkillPlace } from "../../src/workspace/skills/skills.ts";
import { memoryDir, tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

const CHILD = Bun.fileURLToPath(new URL("./read-race-child.ts", import.meta.url));
/** In memory where that is possible, for more reads in the same time. */
const PARENT = memoryDir();
/** The long form reads as often as the promise says: ten million times. */
const READS = Number(process.env["READS"] ?? 1500);
const PATHS = ["folder/a.txt", "file/a.txt"];
const skillOf = (description: string) =>
  `---\nname: folder\ndescription: ${description}\n---\ntext\n`;

test(`no byte and no name from outside is read in ${READS} reads next to a process that swaps folder and file for links`, async () => {
  using dir = tempDir("papayu-race-", PARENT);
  using outside = tempDir("papayu-outside-", PARENT);
  writeTree(dir.path, {
    "folder/a.txt": "inside",
    "folder/SKILL.md": skillOf("ours"),
    "file/a.txt": "inside",
  });
  writeTree(outside.path, {
    "a.txt": "outside",
    "outside-name.txt": "outside",
    "SKILL.md": skillOf("theirs"),
  });
  const workspace = workspaceAt(dir.path);
  const seen: Record<string, number> = {};
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  const readers = [
    async (path: string) => {
      const guarded = resolvePath(workspace, path, "read");
      const file = guarded.ok ? await readTextFile(guarded) : guarded;
      count(file.ok ? file.text : "refused");
    },
    async (path: string) => {
      const guarded = resolvePath(workspace, path, "read");
      const file = guarded.ok ? await readWholeFile(guarded, 1000) : guarded;
      count(file.ok ? Buffer.from(file.bytes).toString() : "refused");
    },
    // What nobody guarded first: manifests, skills.
    async (path: string) => {
      const file = await readTextFile({ absolute: join(dir.path, path), path });
      count(file.ok ? file.text : "refused");
    },
    async (path: string) => {
      try {
        count(readSmallText(join(dir.path, path)));
      } catch {
        count("refused");
      }
    },
    async () => {
      const place: SkillPlace = { origin: "user", base: dir.path, folder: "." };
      const { skills } = findSkills([place]);
      for (const { description } of skills) count(description === "ours" ? "inside" : "outside");
    },
    async (path: string) => {
      const [name = "", file = ""] = path.split("/");
      const folder = join(dir.path, name);
      const skill: Skill = { name, description: "", origin: "user", body: "", folder };
      const read = readSkillFile(skill, file);
      count(read.ok ? read.text : "refused");
    },
    async () => {
      for (const { text } of (await searchFiles(workspace, { query: "side" })).items) count(text);
    },
    async () => {
      const { items } = await listFiles(dir.path);
      for (const path of items) count(path.includes("outside") ? "outside" : "listed");
    },
  ];
  const child = Bun.spawn([process.execPath, CHILD, dir.path, outside.path], {
    stdout: "pipe",
    stderr: "inherit",
    ipc() {},
  });
  try {
    await child.stdout.getReader().read();
    for (let reads = 0; reads < READS; reads += readers.length * PATHS.length) {
      for (const path of PATHS) for (const read of readers) await read(path);
    }
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill();
    await child.exited;
  }
  if (process.env["LONG_FIGURES"]) console.log("figures", JSON.stringify(seen));
  expect(seen["outside"]).toBeUndefined();
  expect(Object.keys(seen).toSorted()).toEqual(["inside", "listed", "refused"]);
});
