import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeExcess, type Limits, toLimits } from "../../src/system/limits.ts";
import { runCommand } from "../../src/system/run/run.ts";
import { createSandbox } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { crossed } from "../support/long.ts";
import { areGone } from "../support/processes.ts";
import { memoryDir, tempDir } from "../support/temp.ts";

const MB = 1024 * 1024;
const LIMITS: Limits = { maxProcesses: 64, maxMemoryBytes: 200 * MB, maxDiskBytes: 20 * MB };
/** A disk in memory: nobody else fills or empties it meanwhile. */
const QUIET_DISK = "/dev/shm";

/** A folder of its own in which commands run under the limits. */
function createScene(mode: "auto" | "none", home?: { readonly disk: string }) {
  const dir = tempDir("papayu-test-", home?.disk ?? QUIET_DISK);
  const env = { ...process.env, ...(home && { HOME: dir.path }) };
  return {
    path: dir.path,
    async run(argv: readonly string[], timeoutMs = 60_000) {
      const sandbox = await createSandbox({
        mode,
        env,
        hidden: [],
        limits: LIMITS,
      })();
      const room = { program: "", root: dir.path, readOnly: [], writable: [], network: false };
      return runCommand({
        argv,
        cwd: dir.path,
        env,
        timeoutMs,
        signal: new AbortController().signal,
        maxOutputBytes: 4096,
        limits: LIMITS,
        writable: [dir.path],
        ...(sandbox.kind === "bwrap" && { sandbox: sandbox.enclose(room) }),
      });
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const sh = (script: string) => ["sh", "-c", script];
const bun = (script: string) => ["bun", "-e", `const fs = require("fs"); ${script}`];
const python = (script: string) => ["python3", "-c", `import os, threading, time\n${script}`];

const STAY = "setTimeout(() => {}, 600_000)";
const FILL = "const fill = (fd, mb) => { while (mb--) fs.writeSync(fd, Buffer.alloc(1 << 20)) }";

/** What goes over a limit, and over which. */
const EXCESSES: readonly (readonly [what: string, kind: string, argv: readonly string[]])[] = [
  [
    "two thousand children",
    "processes",
    sh("i=0; while [ $i -lt 2000 ]; do sleep 600 & i=$((i+1)); done; wait"),
  ],
  [
    "children that double, each in a session of its own",
    "processes",
    python("for i in range(10):\n if os.fork() == 0: os.setsid()\ntime.sleep(600)"),
  ],
  [
    "threads",
    "threads",
    python(
      "def more():\n try:\n  threading.Thread(target=time.sleep, args=(600,)).start()\n except: pass\nfor i in range(700): more()",
    ),
  ],
  [
    "memory",
    "memory",
    bun(
      `const all = []; for (let mb = 0; mb < 600; mb++) all.push(Buffer.alloc(1 << 20, 1)); ${STAY}`,
    ),
  ],
  [
    "files that only memory holds",
    "memory",
    python(
      "for name in range(30):\n fd = os.memfd_create('x')\n for mb in range(15): os.write(fd, b'x' * 2**20)\ntime.sleep(600)",
    ),
  ],
  [
    "several files",
    "disk",
    bun(`${FILL}; for (const name of "abc") fill(fs.openSync(name, "w"), 15); ${STAY}`),
  ],
  [
    "files that are deleted and stay open",
    "disk",
    bun(
      `${FILL}; for (const name of "abc") { const fd = fs.openSync(name, "w"); fs.unlinkSync(name); fill(fd, 15) } ${STAY}`,
    ),
  ],
  [
    "many empty files",
    "disk",
    bun(`for (let n = 0; n < 6000; n++) fs.closeSync(fs.openSync("f" + n, "w")); ${STAY}`),
  ],
  ["a burst that is over before anybody looks", "disk", sh("head -c 15M /dev/zero >a; cp a b")],
  ["one file, up to what the kernel allows", "disk", sh("head -c 40M /dev/zero >a; sleep 600")],
  ["a size that holds nothing", "file", ["truncate", "-s", "10G", "sparse"]],
];

const MODES = (["auto", "none"] as const).filter((mode) => mode === "none" || hasBubblewrap);

/** Each of them in one of the ways. */
const PAIRS = crossed(EXCESSES, MODES, 1);

for (const mode of process.platform === "linux" ? MODES : []) {
  describe(`runCommand() with the sandbox "${mode}"`, () => {
    test.each(PAIRS.filter(([, way]) => way === mode))(
      "ends %p with its reason",
      async ([, kind, argv]) => {
        using scene = createScene(mode);
        const result = await scene.run(argv);
        expect(result).toMatchObject({ exitCode: null, timedOut: false, excess: { kind } });
        const { excess } = result;
        expect(excess && result.output).toEndWith(`\n${excess && describeExcess(excess)}\n`);
      },
    );

    test("leaves nobody of a crowd behind", async () => {
      using scene = createScene(mode);
      const name = crypto.randomUUID();
      const script = `for i in range(9):\n if os.fork() == 0: os.setsid()\ntime.sleep(600) # ${name}`;
      expect(await scene.run(python(script))).toMatchObject({ excess: { kind: "processes" } });
      expect(await areGone(name)).toBe(true);
    });

    test("lets nobody make a file larger than the disk that is allowed", async () => {
      using scene = createScene(mode);
      const script =
        'try { fs.truncateSync("big", 40 << 20) } catch (error) { console.log(error.code) }';
      await scene.run(sh("touch big"));
      expect(await scene.run(bun(script))).toMatchObject({ exitCode: 0, output: "EFBIG\n" });
      expect(statSync(join(scene.path, "big")).size).toBe(0);
    });

    test("leaves no core dump, and is the first to go when memory runs out", async () => {
      using scene = createScene(mode);
      const result = await scene.run(sh("ulimit -c; ulimit -Hc; cat /proc/self/oom_score_adj"));
      expect(result).toMatchObject({ exitCode: 0, excess: undefined, output: "0\n0\n1000\n" });
    });

    test("leaves alone what stays within the limits, a large file from before too", async () => {
      using scene = createScene(mode);
      await Bun.write(join(scene.path, "large"), Buffer.alloc(40 * MB));
      await Bun.sleep(50); // what is written within a tick of the start counts as written after it
      const children = "for i in $(seq 40); do sleep 0.3 & done; wait; head -c 10M large >more";
      expect(await scene.run(sh(children))).toMatchObject({ exitCode: 0, excess: undefined });
    });
  });
}

test("limits hold where a sandbox does not tell of its processes", async () => {
  using dir = tempDir();
  const result = await runCommand({
    argv: sh("for i in $(seq 300); do sleep 600 & done; wait"),
    cwd: dir.path,
    env: process.env,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    maxOutputBytes: 4096,
    limits: LIMITS,
    sandbox: {
      toArgv: () => ["sh", "-c", '"$@"; exit $?', "sh"],
      privateFolders: [],
      countsOwnProcesses: false,
    },
  });
  expect(result).toMatchObject({ exitCode: null, excess: { kind: "processes" } });
});

describe.if(hasBubblewrap)("a private folder", () => {
  test.each(["/tmp", "/var/tmp", "/dev/shm", "/run", "$HOME"])("bounds %s", async (folder) => {
    using scene = createScene("auto");
    const name = crypto.randomUUID();
    const script = `for n in 1 2 3; do head -c 15M /dev/zero >${folder}/${name}-$n; done; sleep 600`;
    expect(await scene.run(sh(script))).toMatchObject({ excess: { kind: "disk" } });
    expect(existsSync(join(QUIET_DISK, `${name}-1`))).toBe(false);
  });
});

test.if(hasBubblewrap)(
  "what the machine keeps on the disk of a home that is the workspace is nobody's",
  async () => {
    using scene = createScene("auto", { disk: memoryDir() });
    await Bun.write(join(scene.path, "large"), Buffer.alloc(40 * MB));
    expect(await scene.run(sh("sleep 1"))).toMatchObject({ exitCode: 0, excess: undefined });
  },
);

describe("toLimits()", () => {
  test("takes half of the machine's memory where none is named, and never more than all", () => {
    const table = { max_processes: 10, max_memory_mb: 0, max_disk_mb: 3 };
    const { maxMemoryBytes, ...rest } = toLimits(table);
    expect(rest).toEqual({ maxProcesses: 10, maxDiskBytes: 3 * MB });
    const all = toLimits({ ...table, max_memory_mb: 1e9 }).maxMemoryBytes;
    expect(maxMemoryBytes * 2).toBe(all);
  });
});
