import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { killMarked } from "../../src/system/processes/kill-tree.ts";
import { listProcesses, markRun } from "../../src/system/processes/list-processes.ts";
import { runCommand } from "../../src/system/run/run.ts";
import type { SandboxRoom } from "../../src/system/sandbox/bubblewrap.ts";
import { createSandbox, type SandboxMode } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { weakBubblewrap } from "../support/weak-bubblewrap.ts";

/** A folder as PATH whose `bwrap` is a script. */
function pathWith(dir: string, script: string): string {
  writeFileSync(join(dir, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, "bwrap"), 0o755);
  return dir;
}

const open = (mode: SandboxMode, PATH: string) =>
  createSandbox({ mode, env: { PATH }, hidden: [] })();

describe.if(process.platform === "linux")("createSandbox()", () => {
  test.concurrent("takes none when that is wanted", async () => {
    expect(await open("none", process.env["PATH"] ?? "")).toMatchObject({
      kind: "none",
      reason: "switched off",
    });
  });

  test.concurrent("says that bubblewrap is not installed, or refuses when it is demanded", async () => {
    const reason = "bubblewrap is not installed";
    expect(await open("auto", "/nowhere")).toMatchObject({ kind: "none", reason });
    const refusal = await open("bwrap", "/nowhere").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "ERR_SANDBOX",
      message: expect.stringContaining(reason),
    });
  });

  test.concurrent("says why bubblewrap does not work here, and sees it repaired", async () => {
    using dir = tempDir();
    const cause = "bwrap: No permissions to create a new namespace";
    const env = { PATH: pathWith(dir.path, `echo "${cause}" >&2; exit 1`) };
    const sandbox = createSandbox({ mode: "auto", env, hidden: [] });
    const reason = `bubblewrap does not work here: ${cause}`;
    expect(await sandbox()).toMatchObject({ kind: "none", reason });
    const refusal = await open("bwrap", dir.path).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "ERR_SANDBOX" });
    env.PATH = weakBubblewrap(dir.path, {});
    expect(await sandbox()).toMatchObject({ kind: hasBubblewrap ? "bwrap" : "none" });
  });
});

describe.if(hasBubblewrap)("createSandbox() with bubblewrap", () => {
  test.concurrent.each([
    ["a workspace", "bin", ["ws"]],
    ["a workspace's root", "", ["ws"]],
    ["a project's packages", "node_modules/.bin", []],
    ["a link to a workspace", "../link", ["ws"]],
  ])("starts none that %s puts on PATH, and finds the system's behind it", async (_, on, roots) => {
    using dir = tempDir();
    const ws = join(realpathSync(dir.path), "ws");
    mkdirSync(join(ws, "bin"), { recursive: true });
    symlinkSync(join(ws, "bin"), join(dir.path, "link"));
    const folder = join(ws, on);
    mkdirSync(folder, { recursive: true });
    pathWith(folder, `touch ${dir.path}/ran; exit 1`);
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const workspaces = roots.map((root) => join(realpathSync(dir.path), root));
    const opened = await createSandbox({ mode: "auto", env, hidden: [], workspaces })();
    expect(opened.kind).toBe("bwrap");
    expect(existsSync(join(dir.path, "ran"))).toBe(false);
  });

  test.concurrent("starts none of the folder that papa-yu is called in", async () => {
    using dir = tempDir();
    pathWith(dir.path, "exit 1");
    const env = { PATH: `${relative(process.cwd(), dir.path)}:.:${process.env["PATH"]}` };
    expect((await createSandbox({ mode: "auto", env, hidden: [] })()).kind).toBe("bwrap");
  });

  test.concurrent("tries it out at the first use and not again", async () => {
    using dir = tempDir();
    const env = { PATH: weakBubblewrap(dir.path, {}) };
    const sandbox = createSandbox({ mode: "bwrap", env, hidden: [] });
    expect(await sandbox()).toMatchObject({ kind: "bwrap", gaps: [] });
    rmSync(join(dir.path, "bwrap"));
    expect(await sandbox()).toMatchObject({ kind: "bwrap", gaps: [] });
  });

  test.concurrent.each([
    ["settings of the machine can be written", { "/proc/sys": "/proc/version" }],
    ["there is a network", { "--unshare-net": "--unshare-uts" }],
    ["other processes can be seen", { "--unshare-pid": "--unshare-uts" }],
    ["capabilities are not dropped", { "--cap-drop": "--cap-add" }],
  ])("names that %s, and is none where one is demanded", async (lack, words) => {
    using dir = tempDir();
    const PATH = weakBubblewrap(dir.path, words);
    expect(await open("auto", PATH)).toMatchObject({ kind: "bwrap", gaps: [lack] });
    const refusal = await open("bwrap", PATH).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "ERR_SANDBOX",
      message: expect.stringContaining(`in this one ${lack}`),
    });
  });

  test.concurrent("asks an older one what it knows, works with that, and says what is missing", async () => {
    using dir = tempDir();
    const refuse = 'case "$*" in *--size*|*--disable-userns*) exit 1 ;; --help) exit 0 ;; esac';
    const PATH = pathWith(dir.path, `${refuse}; exec ${Bun.which("bwrap")} "$@"`);
    const gaps = ["private folders are bounded only by a watcher: bubblewrap is too old"];
    expect(await open("bwrap", PATH)).toMatchObject({ kind: "bwrap", gaps });
  });

  test.concurrent("works without a filter of system calls, and says so", async () => {
    using dir = tempDir();
    const PATH = weakBubblewrap(dir.path, { "--seccomp": "--not-known" });
    const gaps = ["system calls are not filtered"];
    expect(await open("bwrap", PATH)).toMatchObject({ kind: "bwrap", gaps });
  });
});

/** Runs a script in the sandbox of a home. */
async function runIn(home: string, script: string, room: Partial<SandboxRoom> = {}, env = {}) {
  const world = { ...process.env, HOME: home, ...env };
  const state = await createSandbox({ mode: "bwrap", env: world, hidden: [] })();
  if (state.kind === "none") throw new Error(state.reason);
  const root = room.root ?? home;
  const whole = { program: "sh", root, readOnly: [], writable: [], network: false, ...room };
  const { exitCode, output } = await runCommand({
    argv: room.program === undefined ? ["sh", "-c", script] : [room.program],
    cwd: root,
    env: world,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    maxOutputBytes: 4096,
    sandbox: state.enclose(whole),
  });
  return { exitCode, output };
}

describe.if(hasBubblewrap)("a command in bubblewrap", () => {
  test.concurrent("finds a program by its path in a folder that is hidden, and nothing else there", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "own/tool": "#!/bin/sh\nls ..", "own2/x": "", "work/a": "" });
    chmodSync(join(dir.path, "own/tool"), 0o755);
    const program = join(dir.path, "own/tool");
    const ran = await runIn(dir.path, "", { program, root: join(dir.path, "work") });
    expect(ran).toEqual({ exitCode: 0, output: "own\nwork\n" });
  });

  test.concurrent("finds what PATH and variables name, with the parts beside a bin", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "pkg/bin/x": "", "pkg/lib/part": "", "go2/mod": "", "work/a": "" });
    const env = { PATH: `${process.env["PATH"]}:${dir.path}/pkg/bin`, GOPATH: `${dir.path}/go2` };
    const root = join(dir.path, "work");
    const ran = await runIn(dir.path, "cat ../pkg/lib/part ../go2/mod", { root }, env);
    expect(ran).toEqual({ exitCode: 0, output: "" });
  });

  test.concurrent("works in a home that is a link, with tools that are links", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      "real/data/cargo/env": "found",
      "real/work/a": "",
      "real/data/cargo/credentials.toml": "no",
      "real/.ssh/id": "no",
    });
    symlinkSync("data/cargo", join(dir.path, "real/.cargo"));
    symlinkSync("real", join(dir.path, "home"));
    const root = join(dir.path, "real/work");
    const ran = await runIn(
      join(dir.path, "home"),
      "cat ../.cargo/env ../.cargo/credentials.toml; cat ../.ssh/id",
      { root },
    );
    expect(ran.output).toMatch(/^foundcat: .*id: No such file/);
  });

  test.concurrent("is found by its mark, and ended, although papa-yu is gone", async () => {
    using dir = tempDir();
    const state = await createSandbox({ mode: "bwrap", env: process.env, hidden: [] })();
    if (state.kind === "none") throw new Error(state.reason);
    const room = { program: "sh", root: dir.path, readOnly: [], writable: [], network: false };
    const [mark, script] = [crypto.randomUUID(), "trap '' TERM; echo; sleep 100; true"];
    const { toArgv, stdin = "ignore" } = state.enclose(room);
    const env = { ...process.env, ...markRun(mark) };
    const child = Bun.spawn([...toArgv(), "sh", "-c", script], { env, stdin, stdout: "pipe" });
    await child.stdout.getReader().read(); // it runs
    killMarked(mark);
    await child.exited;
    expect(listProcesses(mark).filter(({ isMarked }) => isMarked)).toEqual([]);
  });

  test.concurrent("works in a workspace whose .git is a link to nowhere", async () => {
    using dir = tempDir();
    symlinkSync("/nowhere/git", join(dir.path, ".git"));
    const readOnly = [join(dir.path, ".git")];
    expect(await runIn(dir.path, "true", { readOnly })).toEqual({ exitCode: 0, output: "" });
  });

  test.concurrent("is tried again when what was to be hidden went away meanwhile, and not without end", async () => {
    const tries = async (most: number) => {
      let count = 0;
      const result = await runCommand({
        argv: ["true"],
        cwd: "/",
        env: process.env,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        maxOutputBytes: 4096,
        sandbox: {
          toArgv: () => ["sh", "-c", ++count < most ? 'echo "bwrap: Can\'t x"; exit 1' : "true"],
          privateFolders: [],
          countsOwnProcesses: false,
        },
      });
      return [count, result.exitCode];
    };
    expect(await tries(1)).toEqual([1, 0]);
    expect(await tries(3)).toEqual([3, 0]);
    expect(await tries(9)).toEqual([3, 1]);
  });

  test.concurrent("keeps a home empty, whatever a variable names it", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "me/.ssh/id": "no", "me/work/a": "" });
    const home = join(dir.path, "me");
    const env = { GOPATH: home, CARGO_HOME: dir.path, PATH: `${process.env["PATH"]}:${home}/bin` };
    const ran = await runIn(home, "cat ../.ssh/id", { root: join(home, "work") }, env);
    expect(ran.output).toContain("No such file");
  });

  test.concurrent("keeps a home empty that lies in the workspace", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "me/.ssh/id": "no", "a.txt": "yes" });
    const ran = await runIn(join(dir.path, "me"), "cat a.txt me/.ssh/id", { root: dir.path });
    expect(ran.output).toMatch(/^yescat: .*No such file/);
  });

  test.concurrent("leaves no file behind that runs with the rights of its owner", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "set.py": SET_USER_ID, own: "" });
    const ran = await runIn(dir.path, "python3 set.py; chmod 2755 . && chmod 755 own && echo able");
    expect(ran).toEqual({ exitCode: 0, output: "able\n" });
    const modes = readdirSync(dir.path).map((name) => statSync(join(dir.path, name)).mode & 0o4000);
    expect(modes).toEqual(modes.map(() => 0));
  });

  test.concurrent("holds no memory in large segments that belong to no process", async () => {
    using dir = tempDir();
    const ask = (bytes: number) => `ctypes.CDLL(None).shmget(0, ctypes.c_size_t(${bytes}), 0o1600)`;
    const all = [65_536, 65_537, 2 ** 32].map((bytes) => `${ask(bytes)} >= 0`).join(", ");
    writeTree(dir.path, { "shm.py": `import ctypes\nprint(${all})\n` });
    expect(await runIn(dir.path, "python3 shm.py")).toMatchObject({
      output: "True False False\n",
    });
  });
});

/** Every way to make one; says which of them worked. */
const SET_USER_ID = `import os
ways = {
  "chmod": lambda: os.chmod("own", 0o4755),
  "fchmod": lambda: os.fchmod(os.open("own", os.O_RDONLY), 0o4755),
  "open": lambda: os.open("new", os.O_CREAT | os.O_WRONLY, 0o4755),
  "nameless": lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755),
  "mknod": lambda: os.mknod("node", 0o104755),
}
for name, way in ways.items():
  try: way(); print(name)
  except PermissionError: pass
`;
