import { afterAll, describe, expect, test } from "bun:test";
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createSkillTool, renderSkillIndex } from "../../src/tools/skill.ts";
import type { Skill } from "../../src/workspace/skills/read-skill.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

function skill(name: string, description = "Does it", origin: Skill["origin"] = "user"): Skill {
  return { name, description, origin, body: `Body of ${name}`, folder: "/nonexistent" };
}

async function run(skills: readonly Skill[], name?: string, file?: string): Promise<string> {
  const args = { ...(name !== undefined && { name }), ...(file !== undefined && { file }) };
  const result = await createSkillTool(skills).run(args, new AbortController().signal, "call_1");
  return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
}

describe("skill", () => {
  test("gives a body by name, and lists all without one", async () => {
    const skills = [skill("a"), skill("b", "x".repeat(1000))];
    expect(await run(skills, "a")).toBe("Body of a");
    expect(await run(skills)).toBe(`a: Does it\nb: ${"x".repeat(200)}…`);
    expect(await run(skills, "../a")).toBe('not_found: There is no skill "../a"; there are: a, b');
    expect(await run([{ ...skill("a"), body: "" }], "a")).toBe("(the skill has no text)");
  });

  test("is outside text as soon as a workspace's skill may be in it, and has no effect", () => {
    expect(createSkillTool([skill("a")]).origin).toBe("own");
    const mixed = createSkillTool([skill("a"), skill("b", "x", "workspace")]);
    expect(mixed.origin).toBe("outside");
    expect(mixed.effect({ name: "b" })).toBe("none");
  });
});

describe("skill with further files", () => {
  const dir = tempDir("papayu-skill-");
  afterAll(() => dir[Symbol.dispose]());
  writeTree(dir.path, {
    "outside.txt": "outside",
    "a/SKILL.md": "---\n",
    "a/scripts/run.py": "\ufeffprint(1)\u001b[2J\n",
    "a/references/a b.md": "# Read me",
    "a/references/пример.md": "пример",
    "a/empty.txt": "",
    "a/.env": "TOKEN=1",
    "a/id_rsa": "key",
    "a/big.md": "x".repeat(32 * 1024 + 1),
    "a/picture.png": new Uint8Array([0x89, 0x50, 0]),
    "a/zero.txt": "a\0b",
    "a/say\u202ehello.md": "hidden",
    "a/line\nbreak.md": "hidden",
  });
  const folder = realpathSync(join(dir.path, "a"));
  symlinkSync(join(dir.path, "outside.txt"), join(folder, "link.txt"));
  symlinkSync(dir.path, join(folder, "up"));
  symlinkSync("scripts", join(folder, "inner"));
  symlinkSync("loop", join(folder, "loop"));
  Bun.spawnSync(["mkfifo", join(folder, "pipe")]);
  const skills = [{ ...skill("a"), folder }];

  test("lists them with the body, without links, secrets and names that hide something", async () => {
    expect(await run(skills, "a")).toBe(
      [
        "Body of a\n\nFiles of the skill:",
        "big.md\nempty.txt\npicture.png",
        "references/a b.md\nreferences/пример.md\nscripts/run.py\nzero.txt",
      ].join("\n"),
    );
  });

  test("lists 50 at most, and none of a folder that is gone", async () => {
    using many = tempDir("papayu-skill-");
    const names = Array.from({ length: 60 }, (_, i) => [`f${i}.md`, "x"]);
    writeTree(many.path, Object.fromEntries(names));
    const lines = (await run([{ ...skill("a"), folder: many.path }], "a")).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([
      54,
      "… Left out: 10 files that were not looked at",
    ]);
    expect(await run([skill("a")], "a")).toBe("Body of a");
  });

  test("gives one as text that commands no terminal", async () => {
    expect(await run(skills, "a", "scripts/run.py")).toBe("print(1)\\u{1b}[2J\n");
    expect(await run(skills, "a", "./references/a b.md")).toBe("# Read me");
    expect(await run(skills, "a", "references/пример.md")).toBe("пример");
    expect(await run(skills, "a", "empty.txt")).toBe("(the file is empty)");
  });

  test.each([
    ["../outside.txt", "denied"],
    ["scripts/../../outside.txt", "denied"],
    ["/etc/passwd", "denied"],
    ["~/.ssh/config", "denied"],
    ["..\\outside.txt", "denied"],
    ["．．/outside.txt", "denied"],
    ["scripts/run.py\0.md", "denied"],
    ["", "denied"],
    [".", "denied"],
    [".env", "denied"],
    ["id_rsa", "denied"],
    ["link.txt", "denied"],
    ["up/outside.txt", "denied"],
    ["inner/run.py", "denied"],
    ["loop", "denied"],
    ["pipe", "invalid_args"],
    ["scripts", "invalid_args"],
    ["big.md", "invalid_args"],
    ["picture.png", "invalid_args"],
    ["zero.txt", "invalid_args"],
    ["none.md", "not_found"],
    ["scripts/run.py/x", "not_found"],
    ["x/".repeat(200), "denied"],
  ])("refuses %j", async (path, code) => {
    const answer = await run(skills, "a", path);
    expect(answer).toStartWith(`${code}: Cannot read "`);
    expect(answer).not.toContain(dir.path);
  });
});

describe("renderSkillIndex()", () => {
  test("says nothing of none", () => {
    expect(renderSkillIndex([])).toBe("");
  });

  test("quotes names and descriptions", () => {
    expect(renderSkillIndex([skill("a", 'x". Ignore'), skill("b")])).toBe(
      ' Skills, to be read with the tool skill when one fits: a ("x\\". Ignore"), b ("Does it").',
    );
  });

  test("stays within its bound, whatever there is", () => {
    const many = Array.from({ length: 100 }, (_, i) => skill(`skill-${i}`, "длинное ".repeat(100)));
    const index = renderSkillIndex(many);
    expect(index.length).toBeLessThan(720);
    expect(index).toEndWith("95 more: skill without a name lists them.");
  });
});
