import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SandboxMode } from "../../src/system/sandbox/sandbox.ts";
import { crossed } from "../support/long.ts";
import { writeTree } from "../support/tree.ts";
import {
  type CommandScene,
  gitByHand,
  initRepository,
  MODES,
  openCommands,
} from "./command-scene.ts";

const FILES = {
  "a.txt": "one\n",
  "src/b.txt": "b\n",
  ".env": "KEY=secret1\n",
  "secrets/k": "secret1\n",
  "private/p.txt": "secret1\n",
  "SERVER.PEM": "secret1\n",
};

/** A repository with an identity in which every file has been edited since. */
function openEdited(mode: (typeof MODES)[number]): CommandScene {
  const scene = openCommands(mode, FILES);
  initRepository(scene.root);
  writeTree(scene.home, { ".gitconfig": "[user]\nname = Anna\nemail = anna@example.com\n" });
  for (const path of Object.keys(FILES)) writeFileSync(join(scene.root, path), "secret2 or new\n");
  return scene;
}

/** What holds wherever git runs. */
const LAWS: Readonly<Record<string, (mode: SandboxMode) => Promise<void>>> = {
  "runs nothing that the repository's own configuration names": async (mode) => {
    using scene = openEdited(mode);
    const signature = "-----BEGIN SSH SIGNATURE-----\n U1NIU0lH\n -----END SSH SIGNATURE-----";
    const head = gitByHand(scene.root, "cat-file", "commit", "HEAD");
    writeFileSync(join(scene.dir, "signed"), head.replace("\n\n", `\ngpgsig ${signature}\n\n`));
    const signed = gitByHand(scene.root, "hash-object", "-wt", "commit", join(scene.dir, "signed"));
    gitByHand(scene.root, "update-ref", "refs/heads/main", signed.trim());
    const mark = join(scene.root, "ran");
    const evil = join(scene.root, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> "${mark}"\ncat\n`);
    chmodSync(evil, 0o755);
    for (const name of `pre-commit commit-msg post-commit prepare-commit-msg post-checkout
      post-index-change reference-transaction pre-auto-gc fsmonitor-watchman`.split(/\s+/u)) {
      writeFileSync(join(scene.root, ".git/hooks", name), readFileSync(evil));
      chmodSync(join(scene.root, ".git/hooks", name), 0o755);
    }
    const config = `[format]\n pretty = %G? %s\n [pretty]\n x = %G?
      [gpg "ssh"]\n program = ${evil}\n allowedSignersFile = ${evil}
      [core]
      fsmonitor = ${evil}\n hooksPath = .git/hooks\n pager = ${evil}\n editor = ${evil}
      sshCommand = ${evil}\n askPass = ${evil}\n alternateRefsCommand = ${evil}\n worktree = /
      attributesFile = ${scene.root}/attributes
      [diff]\n external = ${evil}\n [diff "x"]\n command = ${evil}\n textconv = ${evil}
      [filter "x"]\n clean = ${evil}\n smudge = ${evil}\n process = ${evil}\n required = true
      [merge "x"]\n driver = ${evil}\n [pager]\n log = ${evil}\n diff = ${evil}
      [alias]\n status = !${evil}\n [gpg]\n program = ${evil}\n [commit]\n gpgSign = true
      [log]\n showSignature = true\n [credential]\n helper = !${evil}\n [gc]\n auto = 1
      [interactive]\n diffFilter = ${evil}\n [include]\n path = more\n`;
    writeTree(scene.root, {
      ".git/config": `${readFileSync(join(scene.root, ".git/config"), "utf8")}\n${config}`,
      ".git/more": `[filter "y"]\n clean = ${evil}\n`,
      attributes: "* diff=x filter=x merge=x\n",
      "src/.gitattributes": "* diff=x filter=y merge=x\n",
    });
    for (const line of [
      "status",
      "diff",
      "log -p",
      "log -Gsecret",
      "add src/b.txt a.txt",
      "commit -m x",
      "checkout -b other",
      "checkout main",
      "checkout -- .",
      "branch -a",
      "log",
    ]) {
      expect(await scene.git(line)).toStartWith("(exit code 0");
    }
    await scene.git("log --format=x");
    expect(existsSync(mark)).toBe(false);
  },

  "shows and stages no protected file, whatever is asked": async (mode) => {
    using scene = openEdited(mode);
    for (const line of [
      "diff",
      "diff HEAD",
      "diff .",
      "log -p",
      "log -Ssecret1 -p",
      "diff src a.txt",
    ]) {
      const text = await scene.git(line);
      expect(text).toContain(line.includes("log") ? "(exit code 0" : "src/b.txt");
      expect(text).not.toContain("secret1");
    }
    expect(await scene.git("diff", { cwd: "src" })).not.toContain("secret1");
    await scene.git("add -A");
    expect(gitByHand(scene.root, "diff", "--cached", "--name-only")).toBe("a.txt\nsrc/b.txt\n");
  },

  "shows nothing by the id of an object": async (mode) => {
    using scene = openEdited(mode);
    writeFileSync(join(scene.root, "SERVER.PEM"), "secret3\n");
    gitByHand(scene.root, "add", "-f", "SERVER.PEM");
    const id = (name: string) => gitByHand(scene.root, "rev-parse", name).trim();
    const [blob, staged] = [id("HEAD:.env"), id(":SERVER.PEM")];
    const [tree, empty] = [id("HEAD:secrets"), "4b825dc642cb6eb9a060e54bf8d69288fbee4904"];
    for (const words of [
      ["diff", blob, staged],
      ["diff", `${blob}..${staged}`],
      ["diff", blob, "a.txt"],
      ["diff", blob, "--", "a.txt"],
      ["diff", tree],
      ["diff", tree, empty],
      ["diff", `${tree}..${empty}`],
      ["log", "-p", tree],
      ["checkout", tree, "--", "."],
    ]) {
      const text = await scene.git(words);
      expect(text).toStartWith("(exit code 1");
      expect(text).not.toMatch(/secret[13]/u);
    }
    expect(await scene.git("diff HEAD HEAD -- a.txt")).toStartWith("(exit code 0");
    expect(await scene.git("log main..HEAD ^main")).toStartWith("(exit code 0");
    expect(existsSync(join(scene.root, "k"))).toBe(false);
  },

  "shows status, differences and history": async (mode) => {
    using scene = openEdited(mode);
    expect(await scene.git("status --short")).toContain(" M a.txt");
    expect(await scene.git("git status")).toContain("On branch main");
    expect(await scene.git("diff a.txt")).toContain("-one\n+secret2 or new");
    expect(await scene.git("diff --stat", { cwd: "src" })).toContain("a.txt");
    expect(await scene.git("log --oneline -5")).toContain("first");
    expect(await scene.git("log -p -- a.txt")).toContain("+one");
    expect(await scene.git(["status --short"])).toContain(" M a.txt");
    expect(await scene.git("branch")).toEndWith("* main");
    expect(await scene.git("diff nope")).toStartWith("(exit code 128");
  },

  "takes nothing from the daemon's own environment": async (mode) => {
    using scene = openEdited(mode); // GIT_DIR is set there
    expect(await scene.git("status")).toStartWith("(exit code 0");
  },

  "adds, commits, branches and checks out, and tells which files changed": async (mode) => {
    using scene = openEdited(mode);
    expect(await scene.git("add a.txt")).toContain("(exit code 0");
    const committed = await scene.git(["commit", "-m", "second: `x` && y"]);
    expect(committed).toContain("second: `x` && y");
    const author = gitByHand(scene.root, "log", "-1", "--format=%an <%ae> %s");
    expect(author).toBe("Anna <anna@example.com> second: `x` && y\n");
    await scene.git("branch old HEAD~1");
    gitByHand(scene.root, "checkout", "-q", "--", ".");
    const switched = await scene.git("checkout old");
    expect(switched).toContain('modified "a.txt"');
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe("one\n");
    expect(await scene.git("checkout -b topic")).toContain("topic");
    expect(await scene.git("branch -d old")).toContain("Deleted branch old");
  },

  "a switch never throws edits away, and a file is not taken for a branch": async (mode) => {
    using scene = openEdited(mode);
    expect(await scene.git("checkout a.txt")).toContain("invalid reference: a.txt");
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe("secret2 or new\n");
    const restored = await scene.git("checkout -- .");
    expect(restored).toContain('Cannot undo, no before-image is known: "a.txt"');
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(scene.root, ".env"), "utf8")).toBe("secret2 or new\n");
  },

  "works in a repository inside the workspace": async (mode) => {
    using scene = openCommands(mode, { "one/a.txt": "1\n", "two/b.txt": "2\n" });
    initRepository(join(scene.root, "one"));
    writeFileSync(join(scene.root, "one/a.txt"), "changed\n");
    expect(await scene.git("diff", { cwd: "one" })).toContain("+changed");
    expect(await scene.git("status", { cwd: "two" })).toStartWith("not_found: there is no git");
  },

  "a repository that converts files by programs is read, not written": async (mode) => {
    using scene = openEdited(mode);
    writeTree(scene.root, { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
    expect(await scene.git("status --short")).toContain("a.txt");
    for (const line of ["add a.txt", "commit -m x", "checkout main"]) {
      expect(await scene.git(line)).toContain("denied: Cannot run git");
    }
  },

  "uses no repository above the workspace and none that leads elsewhere": async (mode) => {
    using scene = openCommands(mode, { "sub/a.txt": "1\n", "tree/a.txt": "1\n" });
    writeTree(scene.dir, { "outside.txt": "x" });
    gitByHand(scene.dir, "init", "-q");
    expect(await scene.git("status")).toStartWith("not_found: there is no git repository");
    writeTree(scene.root, { "tree/.git": `gitdir: ${scene.dir}/.git\n` });
    expect(await scene.git("status", { cwd: "tree" })).toStartWith("denied: Cannot use the");
    symlinkSync(join(scene.dir, ".git"), join(scene.root, "sub/.git"));
    expect(await scene.git("status", { cwd: "sub" })).toStartWith("denied: Cannot use the");
    mkdirSync(join(scene.root, ".git"));
    symlinkSync(join(scene.dir, ".git/refs"), join(scene.root, ".git/refs"));
    expect(await scene.git("status")).toStartWith("denied: Cannot use the");
  },
};

/** Each of them in one way, and in all in the long form; the first where nothing else holds git. */
test.concurrent.each(
  crossed(Object.entries(LAWS), MODES, 1).map(([[name, law], mode]) => [name, mode, law] as const),
)("git %s, in %s", (_, mode, law) => law(mode));

const LINKS = ["logs/HEAD", "refs/heads/side", "info/exclude"];

test.concurrent.each(crossed(LINKS, MODES, 1))(
  "git writes through no link at .git/%s in %s",
  async (path, mode) => {
    using scene = openCommands(mode, { "a.txt": "1\n" });
    initRepository(scene.root);
    writeTree(scene.dir, { "outside.txt": "x" });
    rmSync(join(scene.root, ".git", path), { force: true });
    symlinkSync(join(scene.dir, "outside.txt"), join(scene.root, ".git", path));
    expect(await scene.git("commit --allow-empty -m evil")).toStartWith("denied: ");
    expect(readFileSync(join(scene.dir, "outside.txt"), "utf8")).toBe("x");
  },
);

describe("git is checked before it runs", () => {
  test.concurrent("looking is nothing, writing a change, losing work a person's decision", () => {
    using scene = openCommands("none", FILES);
    const effects = [
      "status",
      "git log",
      "branch",
      "add .",
      "commit -m x",
      "checkout dev",
      "checkout -- .",
      "commit --amend -m x",
      "push",
      "-c a=b status",
    ].map((line) => scene.gitEffect(line));
    expect(effects).toEqual(
      "none none none change change change person person none none".split(" "),
    );
  });

  test.concurrent("a refusal says what there is", async () => {
    using scene = openCommands("none", FILES);
    expect(await scene.git("push --force")).toContain(
      "status, diff, log, add, commit, branch, checkout",
    );
    expect(await scene.git("commit --no-verify -m x")).toContain("allowed are: -q");
    expect(await scene.git("-c core.pager=id log")).toContain("use cwd");
  });

  test.concurrent("a protected name of the owner with braces is left out too", async () => {
    using scene = openCommands(
      "none",
      { "x.crt": "secret1\n", "deep/y.cer": "secret1\n", z: "z\n" },
      {
        workspace: { protectedPaths: ["*.{crt,cer}", "/z"] },
      },
    );
    initRepository(scene.root);
    const text = await scene.git("log -p");
    expect(text).toStartWith("(exit code 0");
    expect(text).not.toContain("secret1");
  });
});
