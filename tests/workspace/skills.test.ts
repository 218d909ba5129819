import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSkill } from "../../src/workspace/skills/read-skill.ts";
import { findSkills, rememberSkills, skillPlaces } from "../../src/workspace/skills/skills.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

function skill(name: string, description: string, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** A workspace and a home with these files, and what is found in them. */
function find(
  files: Readonly<Record<string, string | Uint8Array>>,
  prepare = (_dir: string) => {},
) {
  using dir = tempDir();
  mkdirSync(join(dir.path, "w"));
  mkdirSync(join(dir.path, "home"));
  writeTree(dir.path, files);
  prepare(dir.path);
  const workspace = {
    name: "w",
    root: join(dir.path, "w"),
    check: "none",
    checkTimeoutMs: 1,
    maxActions: 0,
    protectedPaths: [],
  } as const;
  const [own, user] = skillPlaces(join(dir.path, "home"), workspace);
  if (!own || !user) throw new Error("no places");
  const { skills, problems } = findSkills([own, user]);
  const shown = problems.map(({ path, reason }) => `${path.slice(dir.path.length + 1)}: ${reason}`);
  return { skills, problems: shown };
}

const OWN = "w/.papa-yu/skills";
const USER = "home/skills";

describe("findSkills()", () => {
  test("finds none, without a word, where there are no folders", () => {
    expect(find({})).toEqual({ skills: [], problems: [] });
  });

  test("takes the workspace's before the user's, and tells whose it is", () => {
    const { skills, problems } = find({
      [`${OWN}/tidy/SKILL.md`]: skill("tidy", "Own"),
      [`${USER}/tidy/SKILL.md`]: skill("tidy", "User's"),
      [`${USER}/other/SKILL.md`]: skill("other", "Other", "# Other\n\nSteps\n"),
      [`${USER}/README.md`]: "no skill",
      [`${USER}/.git/SKILL.md`]: "no skill",
    });
    expect(problems).toEqual([]);
    const folder = (end: string) => expect.stringMatching(new RegExp(`^/.+/${end}$`, "u"));
    expect(skills).toEqual([
      {
        name: "tidy",
        description: "Own",
        origin: "workspace",
        body: "Do it.",
        folder: folder("\\.papa-yu/skills/tidy"),
      },
      {
        name: "other",
        description: "Other",
        origin: "user",
        body: "# Other\n\nSteps",
        folder: folder("home/skills/other"),
      },
    ]);
  });

  test("reads those of a home that is reached through a link", () => {
    using dir = tempDir();
    writeTree(dir.path, { "disk/skills/tidy/SKILL.md": skill("tidy", "User's") });
    symlinkSync(join(dir.path, "disk"), join(dir.path, "home"));
    const { skills, problems } = findSkills(skillPlaces(join(dir.path, "home")).slice(0, 1));
    expect(problems).toEqual([]);
    expect(skills).toHaveLength(1);
  });

  test("tells what is wrong and goes on", () => {
    const { skills, problems } = find({
      [`${USER}/bare/SKILL.md`]: "no front matter",
      [`${USER}/big/SKILL.md`]: skill("big", "Big", "x".repeat(33_000)),
      [`${USER}/bytes/SKILL.md`]: new Uint8Array([0xff, 0xfe]),
      [`${USER}/empty/x`]: "",
      [`${USER}/good/SKILL.md`]: skill("good", "Good"),
      [`${USER}/other/SKILL.md`]: skill("good", "Of another name"),
    });
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([
      expect.stringContaining("bare/SKILL.md: it must begin with"),
      expect.stringContaining("big/SKILL.md: it is over 32768 bytes"),
      expect.stringContaining("bytes/SKILL.md: it is not UTF-8"),
      expect.stringContaining("empty/SKILL.md: ENOENT"),
      expect.stringContaining('other/SKILL.md: its name "good" must be that of its folder'),
    ]);
  });

  test("follows no link and waits for no pipe", () => {
    const { skills, problems } = find(
      { "secret/SKILL.md": skill("secret", "x"), [`${USER}/file/x`]: "", [`${USER}/pipe/x`]: "" },
      (dir) => {
        mkdirSync(join(dir, "w/.papa-yu"));
        symlinkSync(join(dir, "home/skills"), join(dir, OWN));
        symlinkSync(join(dir, "secret"), join(dir, USER, "secret"));
        symlinkSync(join(dir, "secret/SKILL.md"), join(dir, USER, "file/SKILL.md"));
        Bun.spawnSync(["mkfifo", join(dir, USER, "pipe/SKILL.md")]);
      },
    );
    expect(skills).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^w\/.papa-yu\/skills: it is reached by a symbolic link/),
      expect.stringContaining("file/SKILL.md: ELOOP"),
      expect.stringContaining("pipe/SKILL.md: it is not a regular file"),
      expect.stringContaining("secret/SKILL.md: it is reached by a symbolic link"),
    ]);
  });

  test("follows no link in the workspace's state folder itself", () => {
    const { skills, problems } = find({ "x/skills/a/SKILL.md": skill("a", "A") }, (dir) => {
      symlinkSync(join(dir, "x"), join(dir, "w/.papa-yu"));
    });
    expect(skills).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  test("reads no folder with more than 100", () => {
    const files = Object.fromEntries(
      Array.from({ length: 101 }, (_, i) => [`${USER}/s${i}/SKILL.md`, skill(`s${i}`, "x")]),
    );
    const { skills, problems } = find(files);
    expect(skills).toEqual([]);
    expect(problems).toEqual([`${USER}: it has 101 skills; at most 100 are read, remove some`]);
  });

  test("finds the built-in ones whole", () => {
    const { skills, problems } = findSkills(skillPlaces("/nonexistent"));
    expect(problems).toEqual([]);
    expect(skills.map(({ name, origin }) => [name, origin])).toEqual([
      ["release-notes", "builtin"],
    ]);
  });
});

describe("readSkill()", () => {
  const read = (text: string, folder = "a") => {
    const result = readSkill(text, folder, "user");
    return result.ok ? result.skill : result.reason;
  };

  test("reads CRLF, quotes, folded lines and further fields", () => {
    const text =
      '---\r\nname: "a"\r\ndescription: >\r\n  Two\r\n  lines\r\nlicense: MIT\r\nmetadata:\r\n  x: 1\r\n---\r\n\r\nBody\r\n---\r\nmore\r\n';
    expect(read(text)).toEqual({
      name: "a",
      description: "Two lines",
      origin: "user",
      body: "Body\r\n---\r\nmore",
    });
  });

  test("makes control characters visible", () => {
    expect(read('---\nname: a\ndescription: "x\\e[2J\\ny"\n---\n\u001b[0m')).toMatchObject({
      description: "x\\u{1b}[2J y",
      body: "\\u{1b}[0m",
    });
  });

  test.each([
    ["must begin", ""],
    ["must begin", "---\nname: a\n"],
    ["must begin", `---\r\n${"x\r\n".repeat(10_000)}`],
    ["no fields", "---\n---\n"],
    ["its name must be", "---\n- a\n---\n"],
    ["no YAML", "---\nname: a\ndescription: b: c\n---\n"],
    ["no YAML", `---\nname: ${"[".repeat(9000)}\n---\n`],
    ["its name must be", "---\nname: 1\ndescription: x\n---\n"],
    ["its name must be", "---\nname: A\ndescription: x\n---\n"],
    ["its name must be", "---\nname: ../a\ndescription: x\n---\n"],
    ["its name must be", "---\n__proto__: { name: a, description: x }\n---\n"],
    ["its description must be", "---\nname: a\n---\n"],
    ["its description must be", '---\nname: a\ndescription: " "\n---\n'],
    ["its description must be", `---\nname: a\ndescription: ${"x".repeat(1025)}\n---\n`],
  ])("says that %s", (reason, text) => {
    expect(read(text)).toContain(reason);
  });
});

/** What may become of the skills of a workspace, and which there are then. */
const CHANGES: readonly [string, (folder: string) => void, readonly string[]][] = [
  ["nothing", () => {}, ["a: one"]],
  ["another text", (at) => writeFileSync(join(at, "a/SKILL.md"), skill("a", "two")), ["a: two"]],
  [
    "another file in its place",
    (at) => {
      writeTree(at, { new: skill("a", "two") });
      renameSync(join(at, "new"), join(at, "a/SKILL.md"));
    },
    ["a: two"],
  ],
  ["one more", (at) => writeTree(at, { "b/SKILL.md": skill("b", "x") }), ["a: one", "b: x"]],
  ["its file gone", (at) => rmSync(join(at, "a/SKILL.md")), []],
  ["its folder gone", (at) => rmSync(join(at, "a"), { recursive: true }), []],
  ["all gone", (at) => rmSync(at, { recursive: true }), []],
  [
    "a link to the same in its place",
    (at) => {
      renameSync(join(at, "a"), join(at, "../a"));
      symlinkSync(join(at, "../a"), join(at, "a"));
    },
    [],
  ],
  [
    "a link to all in their place",
    (at) => {
      renameSync(at, `${at}-moved`);
      symlinkSync(`${at}-moved`, at);
    },
    [],
  ],
];

test.each(CHANGES)("rememberSkills() sees %s of a workspace's skills", (_, change, expected) => {
  using dir = tempDir();
  const root = join(dir.path, "w");
  writeTree(dir.path, { [`${OWN}/a/SKILL.md`]: skill("a", "one") });
  const skillsFor = rememberSkills(join(dir.path, "home"));
  const workspace = { name: "w", root, check: "none", checkTimeoutMs: 1, maxActions: 0 } as const;
  const look = () => skillsFor({ ...workspace, protectedPaths: [] });
  const own = () => look().filter(({ origin }) => origin === "workspace");
  expect(own().map(({ name, description }) => `${name}: ${description}`)).toEqual(["a: one"]);
  expect(look()).toBe(look());
  change(join(dir.path, OWN));
  expect(own().map(({ name, description }) => `${name}: ${description}`)).toEqual([...expected]);
});
