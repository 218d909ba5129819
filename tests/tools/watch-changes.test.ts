import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { initRepository, openCommands } from "./command-scene.ts";

/** Runs a script in a workspace and gives what the answer says of changes. */
async function change(
  files: Readonly<Record<string, string>>,
  script: string,
  prepare: (root: string) => void = () => undefined,
  more: Parameters<typeof openCommands>[2] = {},
) {
  const scene = openCommands("none", files, more);
  prepare(scene.root);
  writeTree(scene.root, { "run.sh": script });
  const before = readTree(scene.root);
  const text = await scene.text(["sh", "run.sh"]);
  return { scene, before, lines: text.split("\n").slice(1) };
}

/** Does what the lines say, as a person would in a shell. */
function undo(root: string, lines: readonly string[]): void {
  for (const line of lines.filter((each) => each.startsWith("Undo: "))) {
    const command = line
      .slice("Undo: ".length)
      .replace(/^move (.+) to (.+)$/u, "mv -- $1 $2")
      .replace(/^delete /u, "rm -- ");
    execFileSync("sh", ["-c", command], { cwd: root, stdio: "pipe" });
  }
}

test("run_command tells a renamed file from a new one, whose removal would lose it", async () => {
  const { scene, before, lines } = await change(
    { "only.txt": "the only copy\n", "a.txt": "a\n" },
    "mv only.txt moved.txt; echo new > new.txt\n",
  );
  using _ = scene;
  expect(lines).toEqual([
    "Changed while it ran (2):",
    '  renamed "moved.txt", which was "only.txt"',
    '  created "new.txt"',
    'Undo: move "moved.txt" to "only.txt"',
    'Undo: delete "new.txt"',
  ]);
  undo(scene.root, lines);
  expect(readTree(scene.root)).toEqual(before);
});

test("run_command never takes a file for new that was only ignored, nor for gone", async () => {
  const { scene, lines } = await change(
    { ".gitignore": "*.log\n", "mine.log": "mine\n", "edited.log": "mine\n", "a.txt": "a\n" },
    "echo '*.txt' > .gitignore; echo more >> edited.log; echo x > new.log\n",
  );
  using _ = scene;
  expect(lines).toEqual([
    "Changed while it ran (3):",
    '  modified ".gitignore"',
    '  modified "edited.log"',
    '  created "new.log"',
    'Undo: delete "new.log"',
    'Cannot undo, no before-image is known: ".gitignore" "edited.log"',
  ]);
});

test("run_command knows before-images however long git takes to tell of them", async () => {
  using bin = tempDir();
  const path = process.env["PATH"] ?? "";
  const slow = `#!/bin/sh\ncase "$*" in *ls-tree*) sleep 1;; esac\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(bin.path, "git"), slow, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin.path}:${path}` };
  const more = { deps: { env } };
  const { scene, before, lines } = await change(
    { "a.txt": "a\n" },
    "rm a.txt\n",
    initRepository,
    more,
  );
  using _ = scene;
  expect(lines.join("\n")).toMatch(/Undo: git checkout \w{40} -- "a.txt"$/u);
  undo(scene.root, lines);
  expect(readTree(scene.root)).toEqual(before);
});

test("run_command gives back modes, contents, binaries and what was overwritten", async () => {
  const { scene, before, lines } = await change(
    {
      "m.sh": "m\n",
      "bin.dat": "\0\u0001\u00ff",
      "b.txt": "b\n",
      "gone.txt": "g\n",
      "x.txt": "x\n",
    },
    "chmod 4711 m.sh; printf '\\0' >> bin.dat; mv x.txt b.txt; rm gone.txt\n",
    (root) => {
      initRepository(root);
      chmodSync(join(root, "m.sh"), 0o640);
    },
  );
  using _ = scene;
  expect(lines).toContain('Undo: chmod 640 "m.sh"');
  expect(lines).toContain('Undo: move "b.txt" to "x.txt"');
  undo(scene.root, lines);
  expect(readTree(scene.root)).toEqual(before);
});

test("run_command quotes names so that a shell takes them for nothing else", async () => {
  const { scene, before, lines } = await change(
    { "a.txt": "a\n" },
    `touch '$(touch pwned)' '\`touch pwned\`' "it's" 'two  blanks' '"quoted"' '!x' 'a\\b'\n`,
  );
  using _ = scene;
  undo(scene.root, lines);
  expect(readTree(scene.root)).toEqual(before);
});

test("run_command lists a line end in a name as part of it", async () => {
  const { scene, lines } = await change({}, "touch 'a\nUndo: rm -rf x\u202e'\n");
  using _ = scene;
  expect(lines.filter((line) => line.startsWith("Undo"))).toHaveLength(1);
  expect(lines.join("\n")).not.toContain("\u202e");
});

test("run_command counts 5,000 new files and says how many it does not list", async () => {
  const { scene, lines } = await change({}, "mkdir m; cd m; touch $(seq 5000)\n");
  using _ = scene;
  expect(lines[0]).toBe("Changed while it ran (5000):");
  expect(lines).toContain("  … and 4950 more, of which nothing else is said");
  expect(lines.join("\n").length).toBeLessThan(5000);
});
