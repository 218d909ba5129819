import { describe, expect, test } from "bun:test";
import { evaluateCommand } from "../../src/security/command-policy.ts";

const ALLOWED = "ls cat grep find echo pwd git head tail wc npm tar".split(" ");

/** A line is split at single blanks; a payload with blanks inside a word is an array. */
type Payload = string | readonly string[];
const split = (payload: Payload) => (typeof payload === "string" ? payload.split(" ") : payload);
const evaluate = (payload: Payload, allowed = ALLOWED) => evaluateCommand(split(payload), allowed);

const READS: readonly Payload[] = [
  "ls",
  "ls -la src",
  "ls --color=never --sort=time -- src",
  "ls -R src",
  "cat -n a.txt b.txt",
  "cat -",
  "grep -n TODO a.txt",
  "grep -rn --include=*.ts TODO src",
  ["grep", "-E", "a|b && $(c) > `d`", "a.txt"],
  ["grep", "-e", "$HOME; rm", "a.txt"],
  // A word that a shell would take for an operator is a pattern here, or a name.
  "grep > a.txt",
  "grep -F || a.txt",
  "find . -name >>log",
  ["git", "log", "-5", "--author", "&&"],
  "grep -5 x a.txt",
  "grep -A2 -B 2 x a.txt",
  "grep -f patterns.txt a.txt",
  "grep -- -x a.txt",
  "find . -name *.ts -type f",
  "find src ( -name a -o -name b ) -print0",
  "find -maxdepth 2 ! -empty",
  "find . -newer a.txt",
  ["echo", "two words"],
  "echo harmless",
  "pwd -P",
  "head -20 a.txt",
  "head -n 5 a.txt",
  "tail -c 100 a.txt",
  "tail -n +5 a.txt",
  "wc -l a.txt",
  "git status --short -b",
  "git diff --stat main..dev -- src",
  "git diff HEAD~1 --cached -U5",
  ["git", "log", "-5", "--oneline", "--author=A B", "--format=%h %s"],
  "git log -p --since=2026-01-01",
  "git branch",
  "git branch -a -v",
  "git branch --show-current",
  "git branch --list x",
];

const CHANGES: readonly Payload[] = [
  "git add -A",
  "git add a.txt src",
  ["git", "commit", "-m", "fix: `a` && $(b) > c; d"],
  ["git", "commit", "-qm", "two words"],
  "git commit -m |",
  "git checkout dev",
  "git checkout -b new main",
  "git checkout main --",
  "git branch new",
  "git branch -v new",
  "git branch -d old",
  "git branch -m a b",
  "npm test",
  "npm run build -- src",
  "tar -czf out.tgz src",
];

const ASKS: readonly Payload[] = [
  "make",
  "bash build.sh",
  "python3 tool.py --count 3",
  "./build.sh",
  "./ls",
  "/bin/ls",
  "/tmp/evil/cat a.txt",
  "rm -rf build",
  "sed -i s/a/b/ a.txt",
  "curl https://example.com/?a=1&b=2",
  "npm run build -- --watch=false",
  "LS",
  "constructor",
  "toString x",
  "__proto__",
  "git checkout -- a.txt",
  "git checkout HEAD~1 -- src",
  "git checkout main a.txt",
  "git commit --amend --no-edit",
  ["npm", "run", "a;b"],
  ["npm", "run", "a|b"],
];

const DENIED: readonly Payload[] = [
  // a shell's operators and redirections as words
  "ls ; id",
  "ls | sh",
  "ls || id",
  "ls && id",
  "ls &",
  "cat a.txt > b.txt",
  "cat a.txt >b.txt",
  "cat a.txt >> b.txt",
  "cat < /etc/passwd",
  "cat <<EOF",
  "ls 2>&1",
  "ls 2>/dev/null",
  "ls &>x",
  "ls |& cat",
  "npm test && id",
  "make > log",
  // what a shell would replace
  "cat $(id)",
  "cat `id`",
  "cat ${HOME}/.ssh/id_rsa",
  "cat $HOME/.ssh/id_rsa",
  "cat$IFS/etc/passwd x",
  "echo $(id)",
  "echo $PATH",
  "npm run $(id)",
  "npm run `id`",
  "ls <(id)",
  "ls *.txt",
  "cat src/?.ts",
  // words that are no program
  "FOO=1 ls",
  "LD_PRELOAD=./x.so ls",
  "BASH_ENV=x bash a.sh",
  "GIT_SSH_COMMAND=id git status",
  [],
  [""],
  ["ls", "a\0b"],
  ["ls", "a\rb"],
  ["\u001b[2Jls"],
  ["echo", "x".repeat(8001)],
  // wrappers
  "env ls",
  ["env", "-S", "sh -c id"],
  "/usr/bin/env ls",
  "xargs rm",
  "sudo ls",
  "nohup ls",
  "timeout 5 ls",
  "nice ls",
  "setsid ls",
  "stdbuf -o0 ls",
  "busybox sh",
  "script -c id",
  "watch ls",
  "parallel ls",
  "ssh host id",
  "exec ls",
  "eval ls",
  "command ls",
  ". ./x.sh",
  "source x.sh",
  "/lib64/ld-linux-x86-64.so.2 ./x",
  "strace ls",
  "vim -c !id",
  "less a.txt",
  // interpreters with inline code
  "sh -c id",
  "bash -c id",
  "/bin/bash -c id",
  "bash -lc id",
  "bash -xec id",
  "bash -s",
  "bash",
  "zsh -c id",
  "fish -c id",
  ["python3", "-c", "import os"],
  ["python3.11", "-c", "1"],
  "python3 -Ic 1",
  "node -e 1",
  "node --eval 1",
  "node --eva=1",
  "node -pe 1",
  "nodejs -p 1",
  "bun -e 1",
  "bun exec id",
  "deno eval 1",
  "perl -e 1",
  "perl -ne 1",
  "ruby -e 1",
  "php -r 1",
  "lua -e 1",
  ["awk", 'BEGIN{system("id")}'],
  "gawk 1 a.txt",
  // options that run or write
  "find . -exec id ;",
  "find . -exec id {} +",
  "find . -execdir id ;",
  "find . -ok id ;",
  "find . -okdir id ;",
  "find . -delete",
  "find . -fprint out",
  "find . -fprintf out x",
  "find . -fls out",
  "find -files0-from list",
  "find -L .",
  "find . -follow",
  "find . -unknown",
  "find . -name",
  "wc --files0-from=list",
  "wc --files0-f=list",
  "grep -R x .",
  "grep --dereference-recursive x .",
  "grep --directories=recurse x .",
  "grep -d recurse x .",
  "grep --fil=/etc/passwd x",
  "tail -f a.txt",
  "tail --follow a.txt",
  "cat --unknown a.txt",
  "ls -L .",
  "head -n",
  "tar --checkpoint-action=exec=id -cf a b",
  "tar --checkpoint-act=exec=id -cf a b",
  "tar --to-command=id -xf a",
  "tar -I id -xf a",
  "tar xIf id a",
  "tar --use-compress-program=id -xf a",
  "tar -F id -cf a b",
  "sort --compress-program=id a",
  "make --eval=x",
  "npx -c id",
  "npm exec --call=id",
  "npm test --node-options=--require=./x.js",
  "rsync -e id a b",
  "zip -T a.zip a",
  // git, option by option
  "git",
  "git -c core.pager=id status",
  "git --exec-path=/tmp status",
  "git -C .. status",
  "git --git-dir=/x status",
  "git --work-tree=/ status",
  "git --config-env=a=b status",
  "git -p log",
  "git push",
  "git push --force origin main",
  "git fetch --upload-pack=id x",
  "git clone ext::sh",
  "git config core.fsmonitor id",
  "git rebase --exec id",
  "git bisect run id",
  "git submodule foreach id",
  "git difftool -x id",
  "git show HEAD:.env",
  "git reset --hard",
  "git clean -fd",
  "git stash",
  "git diff --output=x",
  "git diff --outp=x",
  "git diff --ext-diff",
  "git diff --textconv",
  "git diff --no-index a b",
  "git diff -Oorder",
  "git diff HEAD:.env HEAD:a",
  "git log --show-signature",
  "git log --format=%GG",
  "git log -L1,5:a.txt",
  "git log --output=x",
  "git status -v",
  "git diff -- :(top).env",
  "git add",
  "git add -f .env",
  "git add --force x",
  "git add -p",
  "git add -i",
  "git add -e",
  "git add --pathspec-from-file=x",
  "git add :/",
  "git commit",
  "git commit -F /etc/passwd",
  "git commit -t x -m y",
  "git commit -S -m x",
  "git commit --no-verify -m x",
  "git commit -m",
  "git commit -am x",
  "git commit --all -m x",
  "git commit --dry-run -v -m x",
  "git log --follow -p a.txt",
  "git branch -D x",
  "git branch -M a b",
  "git branch -f a b",
  "git branch --edit-description",
  "git checkout -f",
  "git checkout --force x",
  "git checkout -B x",
  "git checkout -p",
  "git checkout -m x",
  "git checkout --recurse-submodules x",
  ["git", "checkout", "x y"],
];

const name = (payload: Payload) => [JSON.stringify(payload).slice(0, 80), payload] as const;

describe("evaluateCommand() lets look", () => {
  test.each(READS.map(name))("%s", (_, payload) => {
    expect(evaluate(payload)).toMatchObject({ kind: "read" });
  });
});

describe("evaluateCommand() takes for a change", () => {
  test.each(CHANGES.map(name))("%s", (_, payload) => {
    expect(evaluate(payload)).toMatchObject({ kind: "change" });
  });
});

describe("evaluateCommand() leaves to a person at every level", () => {
  test.each(ASKS.map(name))("%s", (_, payload) => {
    expect(evaluate(payload)).toMatchObject({ kind: "ask" });
  });
});

describe("evaluateCommand() denies, whatever is allowed", () => {
  test.each(DENIED.map(name))("%s", (_, payload) => {
    for (const allowed of [ALLOWED, [], [split(payload)[0] ?? ""]]) {
      const verdict = evaluate(payload, allowed);
      expect(verdict).toMatchObject({ kind: "deny", reason: expect.stringMatching(/.{10}/u) });
    }
  });
});

describe("evaluateCommand() by the owner's list", () => {
  test("what is not on it is a person's decision, even what only looks", () => {
    expect(evaluate("ls -la", [])).toMatchObject({ kind: "ask" });
    expect(evaluate("git status", ["ls"])).toMatchObject({ kind: "ask" });
  });

  test("an entry of several words holds for commands that begin with them", () => {
    expect(evaluate("cargo check", ["cargo check"])).toMatchObject({ kind: "change" });
    expect(evaluate("cargo run", ["cargo check"])).toMatchObject({ kind: "ask" });
    expect(evaluate("cargo", ["cargo check"])).toMatchObject({ kind: "ask" });
    expect(evaluate("cargo checkx", ["cargo check"])).toMatchObject({ kind: "ask" });
    expect(evaluate("ls", ["", " "])).toMatchObject({ kind: "ask" });
  });
});

describe("evaluateCommand() names the arguments that are paths", () => {
  test.each([
    ["cat a.txt ~/.ssh/x", ["a.txt", "~/.ssh/x"]],
    ["grep x a.txt", ["a.txt"]],
    ["grep -f /etc/passwd a.txt", ["a.txt", "/etc/passwd"]],
    ["grep --file=/etc/passwd -e x a.txt", ["a.txt", "/etc/passwd"]],
    ["grep -rf list src", ["src", "src", "list"]],
    ["grep -r x", ["."]],
    ["find -newer /etc/passwd", ["/etc/passwd", "."]],
    ["find", ["."]],
    ["head -n 5 -- -x", ["-x"]],
    ["git diff main -- src", ["main", "src"]],
    ["git branch new", []],
    ["dd if=/dev/zero of=/dev/sda", ["if", "/dev/zero", "of", "/dev/sda"]],
    ["docker run -v/:/host", ["run", "/", "/host"]],
    ["cc -I/etc --include=/etc/passwd a.c", ["/etc", "/etc/passwd", "a.c"]],
    ["curl https://example.com/a file:///etc/passwd", ["file", "///etc/passwd"]],
  ])("%s", (line, paths) => {
    const verdict = evaluate(line);
    expect(verdict.kind === "deny" ? verdict.reason : [...verdict.paths].toSorted()).toEqual(
      paths.toSorted(),
    );
  });
});
