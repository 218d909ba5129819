import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createToolVersions } from "../../../src/planner/context/context-sources.ts";
import { cutShort, PATIENCE_MS } from "../../support/patience.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";

/** Programs of our own, each a script, in a folder that is all of PATH. */
function tools(scripts: Readonly<Record<string, string>>) {
  const dir = tempDir();
  for (const [name, script] of Object.entries(scripts)) {
    writeTree(dir.path, { [name]: `#!/bin/sh\n${script}\n` });
    chmodSync(join(dir.path, name), 0o755);
  }
  return { path: dir.path, env: { PATH: dir.path }, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** Tools that were asked: node has failed and is not asked again. */
const ONCE_AND_TWICE = "git git node";
const BUN = `bun ${process.versions.bun}`;

describe("createToolVersions()", () => {
  test("asks for what matters to each kind, in a way that each tool understands", async () => {
    using t = tools({
      git: 'test "$1" = --version && echo "git version 2.43.0.windows.1"',
      node: 'echo "v22.1.0"',
      python3: 'echo "Python 3.13.0rc1" >&2',
      cargo: 'echo "cargo 1.80.0 (376290515 2024-07-16)"',
      go: 'test "$1" = version && echo "go version go1.22.5 linux/amd64"',
    });
    const versions = createToolVersions(t.env, PATIENCE_MS);
    const git = "git 2.43.0.windows.1";
    expect(await versions("node")).toEqual([BUN, "node 22.1.0", git]);
    expect(await versions("python")).toEqual([BUN, "python3 3.13.0rc1", git]);
    expect(await versions("rust")).toEqual([BUN, "cargo 1.80.0", git]);
    expect(await versions("go")).toEqual([BUN, "go 1.22.5", git]);
    expect(await versions("plain")).toEqual([BUN, git]);
  });

  test("leaves out a tool that is missing, fails, or says nothing of use", async () => {
    using t = tools({ git: "echo 1.2.3; exit 1", go: "echo hello" });
    expect(await createToolVersions(t.env, PATIENCE_MS)("go")).toEqual([BUN]);
    expect(await createToolVersions(t.env, PATIENCE_MS)("rust")).toEqual([BUN]);
    expect(await createToolVersions({})("plain")).toEqual([BUN]);
  });

  test("asks each tool once and never inside of a project", async () => {
    using t = tools({});
    writeTree(t.path, { git: `#!/bin/sh\npwd >> "${t.path}/asked"\necho 2.4.0\n` });
    chmodSync(join(t.path, "git"), 0o755);
    const versions = createToolVersions(t.env, PATIENCE_MS);
    await Promise.all([versions("plain"), versions("node"), versions("plain")]);
    expect(await versions("plain")).toEqual([BUN, "git 2.4.0"]);
    expect(readFileSync(join(t.path, "asked"), "utf8")).toBe("/\n");
  });

  test("does not wait for a tool that hangs", async () => {
    using t = tools({ git: "/bin/sleep 600 & exec /bin/sleep 600" });
    expect(await createToolVersions(t.env)("plain")).toEqual([BUN]);
  });

  test("asks a tool that was late again, and one that failed not", async () => {
    using t = tools({});
    const script = (name: string, rest: string) =>
      `#!/bin/sh\necho "${name}" >> "${t.path}/asked"\n${rest}\n`;
    writeTree(t.path, {
      node: script("node", "exit 1"),
      git: script("git", "exec /bin/sleep 600"),
    });
    for (const name of ["node", "git"]) chmodSync(join(t.path, name), 0o755);
    const asked = () => readFileSync(join(t.path, "asked"), "utf8").trim().split("\n").toSorted();
    await cutShort(
      async (limitMs) => {
        rmSync(join(t.path, "asked"), { force: true });
        const versions = createToolVersions(t.env, limitMs);
        for (let plan = 0; plan < 2; plan++) expect(await versions("node")).toEqual([BUN]);
      },
      () => existsSync(join(t.path, "asked")) && asked().join(" ") === ONCE_AND_TWICE,
    );
    expect(asked().join(" ")).toBe(ONCE_AND_TWICE);
  });
});
