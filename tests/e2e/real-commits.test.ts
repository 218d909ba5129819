import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tellFigures } from "../support/figures.ts";
import { tempDir } from "../support/temp.ts";
import { type DoneAgainAll, doCommitsAgain, readRepositories } from "./real-commits.ts";
import { doInWorkspace, readWorkspaces } from "./real-workspaces.ts";

/**
 * `REAL_REPOSITORIES=list.json npm run test:long -- commits` does the newest sixty commits of each
 * repository again that the list names; `npm test` those of a small one that is made here.
 */
const LIST = process.env["REAL_REPOSITORIES"];
const COUNT = Number(process.env["COMMITS"] ?? 60);

/**
 * `REAL_WORKSPACES=FOLDER npm run test:long -- commits` does the newest commits of each
 * repository in that folder again, with the tools that are installed in it and its own checks.
 */
const FOLDER = process.env["REAL_WORKSPACES"];
const REAL = FOLDER === undefined ? { workspaces: [], missed: [] } : readWorkspaces(FOLDER);

function summarise({ done, leftOut }: DoneAgainAll): Readonly<Record<string, unknown>> {
  const count: Record<string, number> = {};
  for (const { status, code } of done) {
    const how = code === undefined ? status : `${status} ${code}`;
    count[how] = (count[how] ?? 0) + 1;
  }
  return { ...count, leftOut };
}

test("commits of a small history are applied, recorded by git as then, and undone", async () => {
  using dir = tempDir();
  const path = makeHistory(dir.path);
  const all = await doCommitsAgain({ path }, COUNT);
  expect(all.done.flatMap(({ commit, faults }) => faults.map((fault) => [commit, fault]))).toEqual(
    [],
  );
  // The first commit has no parent, and no action makes a link or a mode.
  expect(summarise(all)).toEqual({ committed: 5, "rejected ERR_PROTECTED_PATH": 1, leftOut: 2 });
});

test.each(LIST === undefined ? [] : readRepositories(LIST))("commits of $path", async (real) => {
  const all = await doCommitsAgain(real, COUNT);
  tellFigures(basename(real.path), summarise(all));
  for (const { commit, code, error } of all.done) {
    if (code !== undefined) tellFigures(basename(real.path), { commit, code, error });
  }
  expect(all.done.flatMap(({ commit, faults }) => faults.map((fault) => [commit, fault]))).toEqual(
    [],
  );
  expect(all.done.length).toBeGreaterThan(0);
});

test.each(FOLDER === undefined ? [] : [REAL])("one workspace of each kind is there", (real) => {
  tellFigures("missed", { kinds: real.missed });
  expect(real.missed).toEqual([]);
});

test.each([...REAL.workspaces])("checked commits of $name", async (real) => {
  const { done, missed } = await doInWorkspace(real);
  for (const each of done) tellFigures(real.name, { ...each });
  tellFigures(real.name, { kinds: real.kinds, done: done.length, missed });
  expect(missed).toEqual([]);
  expect(done.flatMap(({ commit, faults }) => faults.map((fault) => [commit, fault]))).toEqual([]);
});

/** A repository with what histories have: each kind of change once, odd names, ends and modes. */
function makeHistory(dir: string): string {
  const work = join(dir, "history");
  const git = (...args: string[]) => {
    const by = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    const { success, stderr } = Bun.spawnSync(["git", ...by, ...args], { cwd: work });
    if (!success) throw new Error(stderr.toString());
  };
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  };
  const commit = (change: () => void) => {
    change();
    git("add", "-A");
    git("commit", "-q", "-m", "another");
  };
  const lines = (end: string) => Array.from({ length: 40 }, (_, n) => `line ${n}${end}`).join("");
  mkdirSync(work);
  git("init", "-q", "-b", "main");
  git("config", "core.autocrlf", "false");
  commit(() => {
    write("a.txt", lines("\n"));
    write("dos.txt", lines("\r\n"));
    write("no end.txt", "one\ntwo");
    write("run.sh", "#!/bin/sh\necho one\n");
    chmodSync(join(work, "run.sh"), 0o755);
  });
  commit(() => {
    write("a.txt", lines("\n").replace("line 3\n", "third\n").replace("line 30\n", ""));
    write("dos.txt", lines("\r\n").replace("line 9\r\n", "ninth\r\nand more\r\n"));
  });
  commit(() => write("no end.txt", "one\ntwo\nthree"));
  commit(() => write("run.sh", "#!/bin/sh\necho two\n"));
  commit(() => {
    write("deep/er/ünï 名.txt", "new\n");
    rmSync(join(work, "a.txt"));
  });
  commit(() => chmodSync(join(work, "no end.txt"), 0o755));
  commit(() => write("package-lock.json", "{}\n"));
  commit(() => write("pixel.bin", "\0\u0001"));
  commit(() => write("deep/er/ünï 名.txt", ""));
  return work;
}
