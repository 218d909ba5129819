import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type SandboxState } from "../../src/system/sandbox/sandbox.ts";
import type { CheckResult } from "../../src/transaction/change.ts";
import { type CheckOptions, runChecks } from "../../src/transaction/check.ts";
import type { CheckCommand, Workspace } from "../../src/workspace/workspace.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, bunCheck, workspaceAt } from "./scene.ts";

const SECRETS = {
  ".ssh/id_ed25519": "PRIVATE",
  ".aws/credentials": "PRIVATE",
  ".netrc": "PRIVATE",
  ".config/gh/hosts.yml": "PRIVATE",
  ".papa-yu/state.db": "PRIVATE",
  ".cargo/credentials.toml": "PRIVATE",
  ".m2/settings.xml": "PRIVATE",
  ".nuget/NuGet/NuGet.Config": "PRIVATE",
  ".gem/credentials": "PRIVATE",
  ".hex/hex.config": "PRIVATE",
  "papayu/config.toml": "PRIVATE",
  "projects/other/notes.md": "PRIVATE",
};

const OTHER_FILES = {
  ".cargo/bin/tool": "tool",
  ".m2/wrapper/dists/maven": "tool",
  ".nuget/packages/a": "tool",
  ".gem/ruby/a": "tool",
  ".mix/archives/hex": "tool",
  ".cache/deno/a": "tool",
  "projects/site/package.json": "{}",
  "projects/site/.git/hooks/pre-commit": "kept",
  "projects/site/.papa-yu/objects/image": "kept",
};

/** A home with secrets and, in it, a workspace whose checks are hostile. */
function createScene() {
  const dir = tempDir();
  writeTree(dir.path, { ...SECRETS, ...OTHER_FILES });
  const elsewhere = tempDir("papayu-test-", join(import.meta.dir, "../../node_modules"));
  const env = { ...process.env, HOME: dir.path };
  const hidden = [join(dir.path, ".papa-yu"), join(dir.path, "papayu/config.toml")];
  const workspace = workspaceAt(join(dir.path, "projects/site"));
  return {
    home: dir.path,
    /** A folder that is neither a home nor emptied for everybody. */
    elsewhere,
    workspace,
    /** Runs checks in bubblewrap unless told otherwise. */
    async check(commands: readonly CheckCommand[], options: Partial<Scene> = {}) {
      const sandbox = options.sandbox ?? (await createSandbox({ mode: "bwrap", env, hidden })());
      return runChecks({ ...workspace, ...options.rules }, commands, {
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        env,
        sandbox,
        mark: `test-${crypto.randomUUID()}`,
        ...options.limits,
      });
    },
    [Symbol.dispose]() {
      dir[Symbol.dispose]();
      elsewhere[Symbol.dispose]();
    },
  };
}

interface Scene {
  readonly sandbox: SandboxState;
  readonly rules: Partial<Workspace>;
  readonly limits: Partial<CheckOptions>;
}

const sh = (script: string): CheckCommand => ({ name: "test", argv: ["sh", "-c", script] });

const outputOf = ({ stages }: CheckResult) => stages.at(-1)?.output ?? "";

describe.if(hasBubblewrap)("runChecks() in bubblewrap", () => {
  test.concurrent("says so, and runs what needs its tools, its workspace and a place for litter", async () => {
    using scene = createScene();
    writeTree(scene.workspace.root, {
      "sum.test.js": `require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2));`,
      "sum.spec.ts": `import { expect, test } from "bun:test"; test("adds", () => expect(1 + 1).toBe(2));`,
      "main.py": "print(1)\n",
    });
    const check = await scene.check([
      { name: "bun", argv: ["bun", "test", "sum.spec.ts"] },
      { name: "node", argv: ["node", "--test", "sum.test.js"] },
      { name: "python", argv: ["python3", "-m", "compileall", "-q", "main.py"] },
      sh('touch made "$HOME/.litter" "$TMPDIR/litter" /var/tmp/litter /dev/shm/litter'),
    ]);
    expect(check).toMatchObject({ ok: true, sandbox: "bwrap", sandboxNote: "no network" });
    expect(existsSync(join(scene.workspace.root, "made"))).toBe(true);
    expect(existsSync(join(scene.home, ".litter"))).toBe(false);
    expect(readdirSync(join(scene.workspace.root, ".papa-yu/cache"))).toEqual(["pycache"]);
  });

  test.concurrent.each([
    [true, ""],
    [false, "true"],
  ])("tells Cargo whether there is a network: %s", async (checkNetwork, said) => {
    using scene = createScene();
    const rules = { checkNetwork };
    const check = await scene.check([sh("echo offline=$CARGO_NET_OFFLINE")], { rules });
    expect(outputOf(check)).toBe(`offline=${said}\n`);
  });

  test.concurrent.each(Object.keys(SECRETS))("hides ~/%s", async (path) => {
    using scene = createScene();
    const check = await scene.check([sh(`cat "$HOME/${path}"; ls -AR "$HOME"`)]);
    expect(check.ok).toBe(true);
    expect(outputOf(check)).not.toContain("PRIVATE");
    expect(outputOf(check)).toContain("tool"); // and shows the tools
  });

  test.concurrent("shows what tools downloaded before, and not what they log in with", async () => {
    using scene = createScene();
    const places = ".m2/wrapper .nuget/packages .gem/ruby .mix/archives .cache/deno";
    const check = await scene.check([
      sh(`cd ../..; grep -rl tool ${places} | wc -l; ls -A .m2 .gem`),
    ]);
    expect(outputOf(check)).toBe("5\n.gem:\nruby\n\n.m2:\nwrapper\n");
  });

  test.concurrent("shows no other process, no variable of the daemon and no socket that leads out", async () => {
    using scene = createScene();
    const env = { ...process.env, HOME: scene.home, OPENAI_API_KEY: "PRIVATE", NODE_OPTIONS: "x" };
    const script =
      "cat /proc/[0-9]*/environ; echo; ls /proc | grep -c '^[0-9]'; ls -A /run /var/tmp";
    const check = await scene.check([sh(script)], { limits: { env } });
    expect(outputOf(check)).not.toMatch(/PRIVATE|NODE_OPTIONS/);
    expect(Number(/^(\d+)$/m.exec(outputOf(check))?.[1])).toBeLessThan(8);
    expect(outputOf(check)).toEndWith("/run:\n\n/var/tmp:\n");
  });

  test.concurrent.each([
    ["beside the workspace", "../../escaped"],
    ["into a tool's folder", "../../.cargo/bin/tool"],
    ["into a hook of git", ".git/hooks/pre-commit"],
    ["over a before-image", ".papa-yu/objects/image"],
    ["into the system", "/etc/escaped"],
  ])("lets nothing be written %s", async (_, path) => {
    using scene = createScene();
    await scene.check([sh("true")]); // makes what papa-yu keeps
    const before = readTree(scene.home);
    const remount = "mount -o remount,rw /; mount -o remount,rw,bind .git; umount .git";
    await scene.check([sh(`${remount}; echo bad > ${path}`)]);
    expect(readTree(scene.home)).toEqual(before);
    expect(existsSync("/etc/escaped")).toBe(false);
  });

  test.concurrent("has no network but its own loopback, unless the workspace allows it", async () => {
    using scene = createScene();
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hi") });
    const reach = bunCheck(`await fetch("${server.url.href}")`);
    const own = "using own = Bun.serve({ port: 0, fetch: () => new Response('') });";
    const loopback = bunCheck(`${own} await fetch(own.url)`);
    expect(await scene.check([loopback, reach])).toMatchObject({
      ok: false,
      stages: [{ exitCode: 0 }, { exitCode: 1 }],
    });
    const rules = { checkNetwork: true };
    expect(await scene.check([reach], { rules })).toMatchObject({
      ok: true,
      sandboxNote: "with network",
    });
  });

  test.concurrent("leaves no daemon behind, however far it went away", async () => {
    using scene = createScene();
    const name = crypto.randomUUID();
    const loop = `trap "" TERM HUP; while :; do sleep 0.1; done`;
    const run = `setsid env -i sh -c '${loop}' ${name} >/dev/null 2>&1 &`;
    const check = await scene.check([sh(`(${run}) ; sleep 0.1`)]);
    expect(check.ok).toBe(true);
    expect(await areGone(name)).toBe(true);
  });

  test.concurrent("ends a swarm of processes when time is up, and a flood of output as it comes", async () => {
    using scene = createScene();
    const name = crypto.randomUUID();
    const one = `sh -c 'trap "" TERM; while :; do sleep 0.1; done' ${name} &`;
    const script = `for i in $(seq 100); do ${one} done; yes`;
    const check = await scene.check([sh(script)], { limits: { timeoutMs: 500 } });
    expect(check.stages[0]).toMatchObject({ timedOut: true, exitCode: null });
    expect(outputOf(check).length).toBeLessThan(20_000);
    expect(await areGone(name)).toBe(true);
  });

  test.concurrent("sees no other workspace, but the other packages of its own repository", async () => {
    using scene = createScene();
    const { path: elsewhere } = scene.elsewhere;
    writeTree(elsewhere, { "repo/.git/HEAD": "", "repo/a/x": "", "repo/b/y": "", "notes/z": "" });
    const workspaces = ["repo/a", "repo/b", "notes"].map((name) => join(elsewhere, name));
    const world = { env: process.env, hidden: [], workspaces };
    const sandbox = await createSandbox({ mode: "bwrap", ...world })();
    const rules = { root: join(elsewhere, "repo/a") };
    const look = sh(`cd ${elsewhere}; ls repo/b notes; echo >notes/new`);
    const check = await scene.check([look], { sandbox, rules });
    expect(outputOf(check)).toMatch(/^notes:\n\nrepo\/b:\ny\n.*Read-only file system\n$/);
  });

  test.concurrent.each(["inside of the workspace", "elsewhere"])(
    "reaches no door %s",
    async (where) => {
      using scene = createScene();
      const folder = where === "elsewhere" ? scene.elsewhere.path : scene.workspace.root;
      const unix = join(folder, "door");
      using server = Bun.listen({ unix, socket: { data: () => {} } });
      const knock = bunCheck(`
      await Bun.connect({ unix: ${JSON.stringify(unix)}, socket: { data() {} } });
      console.log("in"); process.exit(0)`);
      const sandbox: SandboxState = { kind: "none", reason: "a test" };
      expect(outputOf(await scene.check([knock], { sandbox }))).toBe("in\n");
      const check = await scene.check([knock]);
      expect(check.ok).toBe(false);
      expect(outputOf(check)).toMatch(/ECONNREFUSED|ENOENT|ENOTSOCK|Failed to connect/);
      server.stop(true);
    },
  );

  test.concurrent.each([
    ["processes", "for i in $(seq 300); do sleep 600 & done; wait"],
    ["disk", "head -c 30M /dev/zero >a; sleep 600"],
  ])("is rolled back with the limit as its reason: %s", async (kind, script) => {
    using scene = createScene();
    const limits = { maxProcesses: 50, maxMemoryBytes: 1e9, maxDiskBytes: 20 * 1024 * 1024 };
    const world = { env: process.env, hidden: [], limits };
    const done = await applyActions(
      scene.workspace,
      [{ kind: "CREATE_FILE", path: "new.txt", content: "x" }],
      { checks: [sh(script)], sandbox: createSandbox({ mode: "bwrap", ...world }) },
    );
    expect(done).toMatchObject({
      status: "rolled_back",
      code: "AUTO_CHECK_FAILED_ROLLED_BACK",
      message: expect.stringContaining(`[sandbox] max_${kind}`),
      check: { stages: [{ excess: { kind } }] },
    });
    expect(existsSync(join(scene.workspace.root, "new.txt"))).toBe(false);
  });

  test.concurrent("sees the rest of a repository that the workspace is a package of, read-only", async () => {
    using scene = createScene();
    writeTree(scene.home, { "projects/.git/HEAD": "", "projects/node_modules/dep/index.js": "" });
    const script = 'require("dep"); require("fs").writeFileSync("../node_modules/dep/x", "")';
    const check = await scene.check([sh("true"), bunCheck(script)]);
    expect(outputOf(check)).toContain("EROFS");
    expect(outputOf(check)).not.toContain("Cannot find");
  });
});

describe.if(process.platform === "linux")("runChecks() without a sandbox", () => {
  const limits: Partial<CheckOptions> = { timeoutMs: 500 };
  const sandbox: SandboxState = { kind: "none", reason: "a test" };

  test.concurrent("says why", async () => {
    using scene = createScene();
    const check = await scene.check([sh("true")], { sandbox });
    expect(check).toMatchObject({ ok: true, sandbox: "none", sandboxNote: "a test" });
  });

  test.concurrent.each(["true", "sleep 100"])(
    "ends what left its group, after: %s",
    async (last) => {
      using scene = createScene();
      const name = crypto.randomUUID();
      const loop = `trap "" TERM HUP; while :; do sleep 0.1; done`;
      const run = `setsid sh -c '${loop}' ${name} >/dev/null 2>&1 &`;
      await scene.check(
        [sh(`(${run}); while ! grep -q ${name} /proc/[0-9]*/cmdline; do :; done; ${last}`)],
        {
          sandbox,
          limits,
        },
      );
      expect(await areGone(name)).toBe(true);
    },
  );
});
