import { expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeTree } from "../support/tree.ts";
import { type CommandScene, gitByHand, initRepository, openCommands } from "./command-scene.ts";

const SECRET = "s3cret";

/** A repository whose history, index and files hold a secret under protected names. */
function openSecrets(): CommandScene {
  const scene = openCommands("none", { "a.txt": "one\n", ".env": `KEY=${SECRET}0\n` });
  const { root } = scene;
  initRepository(root);
  writeTree(root, { "a.txt": "two\n", ".env": `KEY=${SECRET}1\n`, "x/Server.KEY": SECRET });
  gitByHand(root, "add", "-f", ".");
  gitByHand(root, "commit", "-qm", "second");
  writeTree(root, { "a.txt": "three\n", ".env": `KEY=${SECRET}2\n` });
  gitByHand(root, "add", "-f", ".");
  writeTree(root, { "a.txt": "four\n", ".env": `KEY=${SECRET}3\n` });
  return scene;
}

/** A ref at whatever object, as somebody with an editor can make it. */
function writeRef({ root }: CommandScene, name: string, id: string): void {
  writeTree(root, { [`.git/${name}`]: `${id.trim()}\n` });
}

async function expectSilent(scene: CommandScene, lines: readonly (readonly string[])[]) {
  for (const words of lines) {
    const text = await scene.git(words);
    expect(`${words.join(" ")}: ${text}`).not.toContain(SECRET);
  }
}

const split = (lines: string) =>
  lines
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "));

test("git answers no question with what a protected file holds or held", async () => {
  using scene = openSecrets();
  await expectSilent(
    scene,
    split(`diff
      diff HEAD
      diff --cached
      diff --staged -U99
      diff HEAD~1 HEAD
      diff HEAD~1..HEAD -- .
      diff HEAD~1...HEAD --word-diff
      diff -R -W --relative
      diff HEAD -- .e* *.key *.KEY x
      diff HEAD -- .ENV
      diff --no-index .env a.txt
      diff .env a.txt
      diff HEAD:.env HEAD~1:.env
      diff :.env a.txt
      diff :0:.env :0:a.txt
      diff HEAD --raw -p --no-prefix
      log -p
      log -p --all -M
      log -SKEY -p
      log -GKEY --unified=5
      log -p --reverse -- .env
      log -p -- .e* x
      log -p --follow .env
      log -L1,1:.env
      log --stat -p --full-history
      log -p --relative
      show HEAD:.env
      show :.env
      show
      grep KEY
      grep --cached KEY
      cat-file -p HEAD:.env
      cat-file blob :.env
      blame .env
      annotate .env
      archive HEAD
      format-patch -1 --stdout
      for-each-ref --format=%(raw)
      for-each-ref --format=%(contents)
      ls-tree --format=%(objectname) HEAD
      checkout-index --temp .env
      whatchanged -p
      range-diff HEAD~1 HEAD
      reflog -p
      stash show -p
      fast-export HEAD
      bundle create - HEAD
      diff-tree -p HEAD
      diff-index -p HEAD
      diff-files -p
      rev-list --objects HEAD
      merge-file -p a.txt .env a.txt
      difftool -y
      interpret-trailers .env
      commit --dry-run -m x
      commit --dry-run --short -m x
      status
      branch -vv`),
  );
});

test("git shows and stages no protected file under a second name", async () => {
  using scene = openCommands("none", { "a.txt": "one\n", "x/notes.txt": "old\n" });
  const { root } = scene;
  initRepository(root);
  writeTree(root, { ".env": `KEY=${SECRET}\n`, "a.txt": "two\n" });
  rmSync(join(root, "x/notes.txt"));
  for (const name of ["x/notes.txt", "new [1].txt"]) linkSync(join(root, ".env"), join(root, name));
  await expectSilent(
    scene,
    split(`diff
      diff HEAD
      diff HEAD -- x
      diff -- x/notes.txt
      add .
      add -A
      add x
      diff --cached
      commit -m x -- x
      log -p`),
  );
  expect(gitByHand(root, "show", "HEAD:x/notes.txt", ":x/notes.txt")).toBe("old\nold\n");
  expect(gitByHand(root, "diff", "--cached", "--name-only").trim()).toBe("a.txt");
});

test("git prints no object by a ref that somebody made for it", async () => {
  using scene = openSecrets();
  const id = (name: string) => gitByHand(scene.root, "rev-parse", name);
  writeRef(scene, "refs/heads/blob", id("HEAD:.env"));
  writeRef(scene, "refs/heads/tree", id("HEAD:x"));
  writeRef(scene, "refs/tags/blob", id("HEAD:.env"));
  writeRef(scene, "refs/tags/tree", id("HEAD^{tree}"));
  await expectSilent(scene, [
    ...split(`branch --format=%(raw)
      branch --format=%(*raw)
      branch --format %(raw:size)%(raw)
      branch --format=%(contents)
      branch --format=%(contents:lines=9)
      branch --format=%(body)
      branch --format=%(trailers)
      branch --format=%(describe)
      branch --format=%(signature)
      branch --format=%(if)%(raw)%(then)x%(end)
      branch --format=%(if:equals=%(raw))%(raw)
      branch -a --format=%(subject)
      branch --sort=raw
      branch --sort=-contents
      log blob
      log -p blob
      log -p --all
      log -p --tags --branches
      log -p tree
      diff blob
      diff blob a.txt
      diff tree HEAD
      diff tags/blob tags/tree
      checkout blob
      checkout blob -- .
      checkout tree -- .
      branch new blob
      log --all --format=%B`),
  ]);
  expect(await scene.git("branch --format=%(raw)")).toStartWith("denied: ");
  expect(await scene.git("branch --sort=-raw")).toStartWith("denied: ");
});

test.each([
  "%(refname:short) %(objectname:short)",
  "%(HEAD) %(upstream:track) %(authorname) %(committerdate:relative) %(subject)",
  "%(if)%(HEAD)%(then)* %(else)  %(end)%(align:20,left)%(refname)%(end)",
])("git branch takes the ordinary format %p", async (format) => {
  using scene = openSecrets();
  expect(await scene.git(["branch", "--format", format, "--sort=-committerdate"])).toStartWith(
    "(exit code 0",
  );
});

test("git shows no secret as a note, a replacement or the contents of a submodule", async () => {
  using scene = openSecrets();
  const { root } = scene;
  const id = (name: string) => gitByHand(root, "rev-parse", name).trim();
  gitByHand(root, "notes", "add", "-C", id("HEAD:.env"), "HEAD");
  gitByHand(root, "replace", id("HEAD:a.txt"), id("HEAD:.env"));
  const sub = join(root, "sub");
  mkdirSync(sub);
  writeFileSync(join(sub, ".env"), `KEY=${SECRET}4\n`);
  initRepository(sub);
  const commit = gitByHand(sub, "rev-parse", "HEAD").trim();
  gitByHand(root, "update-index", "--add", "--cacheinfo", `160000,${commit},sub`);
  gitByHand(root, "commit", "-qm", "third", "--", "sub");
  writeFileSync(join(sub, ".env"), `KEY=${SECRET}5\n`);
  gitByHand(sub, "commit", "-qam", "about it");
  gitByHand(root, "config", "diff.submodule", "diff");
  gitByHand(root, "config", "status.submoduleSummary", "true");
  gitByHand(root, "config", "commit.verbose", "true");
  gitByHand(root, "config", "log.follow", "true");
  gitByHand(root, "config", "commit.template", ".env");
  await expectSilent(
    scene,
    split(`log
      log -3 --format=%N
      log -p -- a.txt
      diff
      diff HEAD
      diff HEAD~1
      diff HEAD -- sub
      diff --submodule=diff
      log -p --submodule=diff
      status
      commit --dry-run -m x
      commit --allow-empty -m x
      log -p -- sub`),
  );
});

test("git shows no second name that is ignored or in a generated folder", async () => {
  const files = { "a.txt": "one\n", ".gitignore": "ignored.txt\n", "dist/a.txt": "old\n" };
  using scene = openCommands("none", { ...files, "ignored.txt": "old\n" });
  const { root } = scene;
  initRepository(root);
  writeTree(root, { ".env": `KEY=${SECRET}\n`, "a.txt": "two\n" });
  for (const name of ["dist/a.txt", "ignored.txt"]) {
    rmSync(join(root, name));
    linkSync(join(root, ".env"), join(root, name));
  }
  expect(await scene.git("diff HEAD")).toContain("+two");
  await expectSilent(scene, split("diff\ndiff HEAD\nadd -A\ndiff --cached"));
});

test("git with more protected paths than a command line holds is refused with the reason", async () => {
  const protectedPaths = Array.from(
    { length: 5000 },
    (_, at) => `private/folder-${at}/${"x".repeat(400)}`,
  );
  using scene = openCommands("none", { "a.txt": "one\n" }, { workspace: { protectedPaths } });
  initRepository(scene.root);
  expect(await scene.git("diff")).toContain("bytes of command line, more than 100000");
});

test("git spares what is protected by its place in the workspace in a repository below it", async () => {
  const workspace = { protectedPaths: ["one/private/**", "*/hidden.txt", "two/a.txt"] };
  const files = { "one/private/p": SECRET, "one/hidden.txt": SECRET, "one/a.txt": "a\n" };
  using scene = openCommands("none", files, { workspace });
  initRepository(join(scene.root, "one"));
  const text = await scene.git("log -p", { cwd: "one" });
  expect(text).toContain("+a");
  expect(text).not.toContain(SECRET);
});
