import { expect, test } from "bun:test";
import { checkGit } from "../../src/security/check-git.ts";

/** Of a call that is let through: what it may do, and whether protected files are left out of it. */
const fate = (line: string) => {
  const verdict = checkGit(line.split(" "));
  if (verdict.kind === "deny") return verdict.kind;
  return `${verdict.kind}${verdict.git.spareProtected ? ", sparing" : ""}`;
};

test.each([
  ["status", "read"],
  ["diff", "read, sparing"],
  ["diff --stat", "read, sparing"],
  ["log", "read"],
  ["log --oneline", "read"],
  ...["-p", "-u", "-U3", "-Sx", "-Gx", "-W", "--patch", "--unified=3", "--check", "--raw"].map(
    (option) => [`log ${option}`, "read, sparing"],
  ),
  ["log --follow a.txt", "read"],
  ["log --follow -p a.txt", "deny"],
  ["add", "deny"],
  ["add -n", "deny"],
  ["add a", "change, sparing"],
  ["add -- a", "change, sparing"],
  ["add a -- b", "change, sparing"],
  ["add a b -- c d", "change, sparing"],
  ["add -A", "change, sparing"],
  ["add -u", "change, sparing"],
  ["add --all", "change, sparing"],
  ["add --update", "change, sparing"],
  ["commit", "deny"],
  ["commit -q a", "deny"],
  ["commit -m x", "change"],
  ["commit --message=x", "change"],
  ["commit --no-edit", "change"],
  ["commit -m x a", "change, sparing"],
  ["commit -m x -- a", "change, sparing"],
  ["commit -m x a -- b", "change, sparing"],
  ["commit --amend -m x", "ask"],
  ["branch", "read"],
  ["branch -v", "read"],
  ["branch --list x", "read"],
  ["branch -v x", "change"],
  ["branch --contains main x", "read"],
  ["branch -d x", "change"],
  ["branch --sort=-committerdate", "read"],
  ["branch --sort=raw", "deny"],
  ["branch --format=%(refname:short)", "read"],
  ["branch --format=%(refname)%(contents)", "deny"],
  ["branch --color=%(contents)", "read"],
  ["log --format=%G?", "deny"],
  ["checkout", "change"],
  ["checkout x", "change"],
  ["checkout x --", "change"],
  ["checkout x y", "ask"],
  ["checkout -b x y", "change"],
  ["checkout -- x", "ask, sparing"],
  ["checkout x -- y", "ask, sparing"],
  ["diff :(top)x", "deny"],
  ["diff -- :x", "deny"],
  ["diff a*", "deny"],
  ["add a*", "change, sparing"],
])("checkGit() %s: %s", (line, expected) => {
  expect(fate(line)).toBe(expected);
});
