import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "diff";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import { parseEnvKeys } from "../../src/planner/offline/rules/env-example.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { BUG, contentOf, paths, plan, planIn } from "./offline-support.ts";

describe("off-by-one rule", () => {
  test("patches every such loop of a file, keeps line endings and names the base", async () => {
    const loop = "for (let i = 0; i <= xs.length; i++) {\r\n  n += xs[i].n;\r\n}\r\n";
    const before = `\uFEFFlet n = 0;\r\n${loop}${"// …\r\n".repeat(20)}${loop}`;
    const { actions } = await plan({ "a.ts": before }, "fix bugs");
    const [action] = actions;
    if (action?.kind !== "PATCH_FILE") throw new Error("no patch");
    expect(action.base_sha256).toBe(sha256(before));
    expect(action.patch.match(/^@@/gm)).toHaveLength(2);
    expect(applyPatch(before, action.patch)).toBe(before.replaceAll("<=", "<"));
  });

  test("leaves a nested project alone, and fixes it as a workspace of its own", async () => {
    const loop = "let n = 0;\nfor (let i = 0; i <= xs.length; i++) {\n  n += xs[i].n;\n}\n";
    const files = { "package.json": "{}\n", "src/a.ts": loop };
    const nested = { "demo/package.json": "{}\n", "demo/src/b.ts": loop };
    const { reads } = await plan({ ...files, ...nested }, "fix bugs");
    expect(reads).toEqual(["src/a.ts"]);
  });

  test("leaves generated, protected, linked and declaration files alone", async () => {
    using dir = tempDir();
    const files = ["a.min.js", "a.d.ts", "a.py", "secrets/a.ts", "kept/a.ts", "dist/a.js"];
    writeTree(dir.path, Object.fromEntries(files.map((path) => [path, BUG])));
    symlinkSync(join(dir.path, "a.py"), join(dir.path, "linked.ts"));
    expect((await planIn(dir.path, "fix", { protectedPaths: ["kept"] })).actions).toEqual([]);
  });
});

describe("README rule", () => {
  test("lists the commands the manifest has, by its package manager, and nothing else", async () => {
    const manifest = {
      name: "shelf",
      description: "A shelf",
      scripts: {
        prebuild: "x",
        build: "tsc && echo `hi`",
        test: 'echo "Error: no test specified" && exit 1',
      },
      dependencies: { zod: "1" },
    };
    const files = {
      "package.json": JSON.stringify(manifest),
      "pnpm-lock.yaml": "",
      "src/a.ts": "",
      "src/b.ts": "",
    };
    expect(contentOf(await plan(files, "readme"), "README.md")).toBe(`# shelf

A shelf.

## Commands

- \`pnpm install\`: installs the dependencies
- \`pnpm run build\`: runs \`\` tsc && echo \`hi\` \`\`

## Layout

- \`src/\`: sources, 2 files
- \`package.json\`
- \`pnpm-lock.yaml\`
`);
  });

  test("knows the commands of rust, go and python projects", async () => {
    expect(await readme({ "Cargo.toml": "", "src/lib.rs": "" })).not.toContain("cargo run");
    expect(await readme({ "Cargo.toml": "", "src/main.rs": "" })).toContain("- `cargo run`");
    expect(await readme({ "go.mod": "module a/b", "main.go": "" })).toContain("- `go run .`");
    const python = await readme({
      "requirements.txt": "pytest\n",
      "snake/__init__.py": "",
      "snake/__main__.py": "",
    });
    expect(python.match(/^- `python3 .*$/gm)).toEqual([
      "- `python3 -m pip install -r requirements.txt`: installs the dependencies",
      "- `python3 -m snake`: runs it",
      "- `python3 -m pytest`: runs the tests",
    ]);
  });

  test("stays one short document whatever the names hold", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`n${index}/a\nb.txt`, ""]),
    );
    const manifest = JSON.stringify({
      name: "a\n# b\0",
      scripts: { "x\ny": "z", ok: "y".repeat(500) },
    });
    const content = contentOf(
      await plan({ ...files, "package.json": manifest }, "readme"),
      "README.md",
    );
    expect(content.split("\n")[0]).toBe("# a # b");
    expect(content).toContain(`runs \`${"y".repeat(80)}…\``);
    expect(content).toContain("- and 31 more");
    expect(content).not.toContain("\0");
  });
});

describe(".gitignore rule", () => {
  test("fits the kind of project; a plain folder needs git", async () => {
    expect(await ignore({ "package.json": "{}" })).toStartWith("node_modules\n");
    expect(await ignore({ "Cargo.toml": "" })).toStartWith("/target/\n\n.env\n");
    expect(await ignore({ "setup.py": "" })).toContain("__pycache__/");
    expect(await ignore({ "notes.md": "" })).toBe("");
    expect(await ignore({ "notes.md": "", ".git/HEAD": "" })).toStartWith(".env\n");
  });

  test.each([
    ["package.json", ["node_modules"]],
    ["setup.py", [".venv", "venv"]],
  ])(
    "of a project with a %s keeps out a link to what is installed elsewhere",
    async (file, names) => {
      const text = await ignore({ [file]: "{}" });
      expect(await untracked(text, names)).toEqual([".gitignore"]);
    },
  );

  test("of this project does, too", async () => {
    const text = readFileSync(join(import.meta.dir, "../../.gitignore"), "utf8");
    expect(await untracked(text, ["node_modules"])).toEqual([".gitignore"]);
  });
});

describe(".editorconfig rule", () => {
  test.each([
    [
      "tabs",
      "a {\n\tb {\n\t\tc\n\t}\n}\n",
      "end_of_line = lf\ninsert_final_newline = true\nindent_style = tab\n",
    ],
    [
      "four blanks, CRLF, no final newline",
      "a:\r\n    b\r\n        c",
      "end_of_line = crlf\nindent_style = space\nindent_size = 4\n",
    ],
    [
      "two blanks beside block comments",
      "/**\n * a\n * b\n */\nx {\n  y\n}\n",
      "end_of_line = lf\ninsert_final_newline = true\nindent_style = space\nindent_size = 2\n",
    ],
  ])("says what the sources do: %s", async (_, source, expected) => {
    const content = contentOf(await plan({ "a.js": source }, "editorconfig"), ".editorconfig");
    expect(content).toBe(`root = true\n\n[*]\ncharset = utf-8\n${expected}`);
  });

  test("is left out where no source is indented", async () => {
    expect(paths(await plan({ "a.js": "x\ny\n", "b.md": "  z\n" }, "editorconfig"))).toEqual([]);
  });
});

describe(".env.example rule", () => {
  test("lists the keys in order, each once, without values", async () => {
    const env =
      "\uFEFF# note\nexport B_KEY=\"two\nlines=1\"\r\n\nA = 'x' # why\nB_KEY=again\nEMPTY=\nC=last";
    const answer = await plan({ ".env": env }, "env");
    expect(contentOf(answer, ".env.example")).toBe(
      "# Copy to .env and fill in\nB_KEY=\nA=\nEMPTY=\nC=\n",
    );
  });

  test("gives nothing for a linked .env or one with a line it does not understand", async () => {
    using dir = tempDir();
    using outside = tempDir();
    writeTree(outside.path, { "other.env": "KEY=1\n" });
    symlinkSync(join(outside.path, "other.env"), join(dir.path, ".env"));
    expect(paths(await planIn(dir.path, "env"))).toEqual([]);
    for (const env of [
      "KEY=-----BEGIN\nMIIabc==\nQk1=\n-----END\n",
      'A="x\nB=1\n',
      "A=1\nwhat\n",
      "1A=2",
    ]) {
      expect(paths(await plan({ ".env": env }, "env"))).toEqual([]);
    }
  });

  test("never lets a value out", () => {
    const secret = fc
      .string({ unit: fc.constantFrom("q", "=", "\n", "#", " ", "\\", "$"), minLength: 3 })
      .map((text) => `zq${text}zq`);
    const oneLine = secret.map((text) => text.replaceAll("\n", ""));
    const line = fc.oneof(
      oneLine.map((text) => `KEY=${text}`),
      secret.map((text) => `KEY="${text}"`),
      secret.map((text) => `export OTHER = '${text}'`),
      oneLine.map((text) => `# ${text}`),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const key of parseEnvKeys(lines.join("\n"))) expect(["KEY", "OTHER"]).toContain(key);
      }),
      { numRuns: runs(100, 500) },
    );
  });
});

describe("LICENSE rule", () => {
  test("names the manifest's author and the year it is given", async () => {
    const files = { "package.json": '{"license":"MIT","author":"Ann Lee <a@b.c>"}' };
    expect(contentOf(await plan(files, "license", { year: 2031 }), "LICENSE")).toStartWith(
      "MIT License\n\nCopyright (c) 2031 Ann Lee\n\nPermission",
    );
    expect(
      contentOf(await plan({ "package.json": '{"name":"x"}' }, "licence"), "LICENSE"),
    ).toContain("(c) The authors of x\n");
  });

  test("does not choose for a project that has chosen", async () => {
    expect(paths(await plan({ "package.json": '{"license":"Apache-2.0"}' }, "license"))).toEqual(
      [],
    );
  });
});

async function readme(files: Record<string, string>): Promise<string> {
  return contentOf(await plan(files, "readme"), "README.md");
}

/** What git would add in a folder with these links to folders. */
async function untracked(text: string, links: readonly string[]): Promise<readonly string[]> {
  using dir = tempDir();
  const root = join(dir.path, "root");
  mkdirSync(join(dir.path, "installed"));
  writeTree(root, { ".gitignore": text });
  for (const name of links) symlinkSync("../installed", join(root, name));
  const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: root }).stdout;
  git("init", "-q");
  return git("ls-files", "-o", "--exclude-standard").toString().trim().split("\n");
}

async function ignore(files: Record<string, string>): Promise<string> {
  return contentOf(await plan(files, "gitignore"), ".gitignore");
}
