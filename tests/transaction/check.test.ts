import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../../src/system/limits.ts";
import type { Look } from "../../src/system/run/run.ts";
import { cacheVariables, runChecks } from "../../src/transaction/check.ts";
import type { View, ViewCommand } from "../../src/transaction/view/opened.ts";
import { tempDir } from "../support/temp.ts";
import { workspaceAt } from "./scene.ts";

const { signal } = new AbortController();
const BWRAP = {
  kind: "bwrap",
  limits: DEFAULT_LIMITS,
  gaps: [],
  enclose: () => expect.unreachable(),
  seen: new Set<string>(),
} as const;

function openScene() {
  const dir = tempDir();
  const workspace = workspaceAt(dir.path);
  return { root: dir.path, workspace, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** A view at a place of its own, in which `run` says what commands come to. */
function viewAt(root: string, run: View["run"]): View {
  return {
    kind: "overlay",
    root,
    run,
    sideEffects: () => expect.unreachable(),
    keep: () => expect.unreachable(),
    [Symbol.asyncDispose]: async () => {},
  };
}

describe("runChecks() tells what a command prints", () => {
  async function linesOf(...pieces: readonly (string | Buffer)[]): Promise<readonly unknown[]> {
    using scene = openScene();
    const said: unknown[] = [];
    const view = viewAt("/a/view", async ({ onOutput }) => {
      for (const piece of pieces) onOutput?.(Buffer.from(piece));
      return { exitCode: 0, timedOut: false, excess: undefined, output: "", durationMs: 5 };
    });
    await runChecks(scene.workspace, [{ name: "sh", argv: ["sh"] }], {
      timeoutMs: 60_000,
      signal,
      env: {},
      sandbox: BWRAP,
      view,
      mark: "test-lines",
      onProgress: (step) =>
        void said.push(typeof step === "object" && "printed" in step ? step.printed : "began"),
    });
    expect(said[0]).toBe("began");
    return said.slice(1);
  }

  test("the last whole lines of each piece, without colours and blank ones", async () => {
    expect(await linesOf("a\nb\n\n  \nc\nd\nrest")).toEqual(["b", "c", "d"]);
    expect(await linesOf("a\nb", "c\nd\n", "\n")).toEqual(["a", "bc", "d"]);
    expect(await linesOf("\u001b[31mred\u001b[0m\rdone\r\n")).toEqual(["red", "done"]);
    const [bytes] = [Buffer.from("за\n")];
    expect(await linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(["за"]);
  });

  test("no more of a line than anybody reads, however it comes", async () => {
    const long = "0".repeat(300);
    for (const pieces of [[`${long}${long}\n`], [long, long, long, "\n"]]) {
      const [line] = await linesOf(...pieces);
      expect(String(line)).toMatch(/^0{390,400}…?$/u);
    }
  });
});

test("runChecks() says what the sandbox cannot keep from them, where that is anything", async () => {
  using scene = openScene();
  const run = (gaps: readonly string[], rules = {}) =>
    runChecks({ ...scene.workspace, ...rules }, [], {
      timeoutMs: 60_000,
      signal,
      env: process.env,
      sandbox: { ...BWRAP, gaps },
      mark: "test-gaps",
    });
  const fine = { ok: true, stages: [], sandbox: "bwrap", sandboxNote: "no network" } as const;
  expect(await run(["the network"])).toEqual({ ...fine, sandboxGaps: ["the network"] });
  expect(await run([])).toEqual(fine);
  const open = await run([], { checkNetwork: true });
  expect(open).toEqual({ ...fine, sandboxNote: "with network" });
});

test.each([
  ["curl", "curl: (6) Could not resolve host: example.com"],
  ["git", "fatal: unable to access 'https://x.example/': Could not resolve host: x.example"],
  ["Python", "socket.gaierror: [Errno -3] Temporary failure in name resolution"],
  ["a socket", "OSError: [Errno 101] Network is unreachable"],
  ["Node", "Error: getaddrinfo EAI_AGAIN registry.example"],
  ["Bun", "error: DNSResolveFailed downloading package manifest x"],
  ["Go", 'Get "https://proxy.example/x": dial tcp: lookup proxy.example on 10.0.0.1:53'],
  ["Rust", "dns error: failed to lookup address information"],
  ["Cargo", "attempting to make an HTTP request, but --offline was specified"],
  ["Java", "java.net.UnknownHostException: repo.example"],
  ["Maven", "Cannot access central (https://x.example) in offline mode"],
])("runChecks() says that %s seems to ask for the network that it has not", async (_, printed) => {
  using scene = openScene();
  const run = async (exitCode: number, rules = {}) => {
    const end = { exitCode, timedOut: false, excess: undefined, output: printed, durationMs: 5 };
    const view = viewAt("/a/view", async () => end);
    const { sandboxNote } = await runChecks(
      { ...scene.workspace, ...rules },
      [{ name: "say", argv: ["say"] }],
      { timeoutMs: 60_000, signal, env: {}, sandbox: BWRAP, view, mark: "test-asks" },
    );
    return sandboxNote;
  };
  expect(await run(1)).toBe("no network, which a check seems to ask for");
  expect(await run(0)).toBe("no network");
  expect(await run(1, { checkNetwork: true })).toBe("with network");
});

test("runChecks() gives commands what they are asked for with, and says what they ran in", async () => {
  using scene = openScene();
  const argv = ["sh", "-c", "echo $MORE; echo $PYTHONPYCACHEPREFIX; echo net=$CARGO_NET_OFFLINE"];
  const run = (more: object) =>
    runChecks(scene.workspace, [{ name: "say", argv }], {
      timeoutMs: 60_000,
      signal,
      env: process.env,
      sandbox: { kind: "none", reason: "switched off" },
      mark: "test-variables",
      ...more,
    });
  const cache = join(scene.root, ".papa-yu/cache");
  const check = await run({ variables: (place: string) => ({ MORE: place }) });
  expect(check).toMatchObject({ ok: true, sandbox: "none", sandboxNote: "switched off" });
  expect(check).not.toHaveProperty("sandboxGaps");
  expect(check.stages).toMatchObject([
    {
      name: "say",
      command: argv,
      exitCode: 0,
      timedOut: false,
      output: `${cache}\n${cache}/pycache\nnet=\n`,
    },
  ]);
  expect(check.stages[0]).not.toHaveProperty("limitMs");
  expect((await run({})).stages[0]?.output).toBe(`\n${cache}/pycache\nnet=\n`);
  const caches = (sandbox: "none" | "bwrap") =>
    cacheVariables("/c", sandbox === "none" ? { kind: "none", reason: "" } : BWRAP);
  expect(caches("none")).toEqual({ PYTHONPYCACHEPREFIX: "/c/pycache" });
  expect(caches("bwrap")).toEqual({ PYTHONPYCACHEPREFIX: "/c/pycache", GOCACHE: "/c/go-build" });
});

test("runChecks() says of each command in a view where it runs and what it may reach", async () => {
  using scene = openScene();
  const asked: ViewCommand[] = [];
  const steps: unknown[] = [];
  const view = viewAt("/a/view", async (command) => {
    asked.push(command);
    const exitCode = asked.length > 2 ? 1 : 0;
    const output = "\u001b[31mout";
    return { exitCode, timedOut: true, excess: undefined, output, durationMs: 5 };
  });
  const commands = [
    { name: "make", argv: ["make"] },
    { name: "all", argv: ["make", "all"], folder: "sub/in" },
    { name: "fails", argv: ["false"] },
    { name: "late", argv: ["true"] },
  ];
  const check = await runChecks(scene.workspace, commands, {
    timeoutMs: 7000,
    signal,
    env: { GIVEN: "1" },
    sandbox: BWRAP,
    view,
    mark: "test-view",
    onProgress: (step) => void steps.push(step),
  });
  expect(check.ok).toBe(false);
  const looks: Look[] = [[0, 0, 3, "red"]];
  const stage = { timedOut: true, limitMs: 7000, output: "out", looks, durationMs: 5 };
  expect(check.stages).toEqual([
    { ...stage, name: "make", command: ["make"], exitCode: 0 },
    { ...stage, name: "all", command: ["make", "all"], exitCode: 0 },
    { ...stage, name: "fails", command: ["false"], exitCode: 1 },
  ]);
  expect(steps).toEqual([
    { check: "make", at: 1, of: 4 },
    { check: "all: make all", at: 2, of: 4 },
    { check: "fails: false", at: 3, of: 4 },
  ]);
  const cache = "/a/view/.papa-yu/cache";
  const env = { GIVEN: "1", PYTHONPYCACHEPREFIX: `${cache}/pycache`, GOCACHE: `${cache}/go-build` };
  const variables = { CARGO_NET_OFFLINE: "true" };
  const readOnly = ["/a/view/.git", "/a/view/.papa-yu"];
  const room = { root: "/a/view", readOnly, writable: [cache], network: false };
  const common = { env, mark: "test-view", timeoutMs: 7000, signal, variables };
  expect(asked).toMatchObject([
    { ...common, argv: ["make"], room: { ...room, program: "make" } },
    { ...common, argv: ["make", "all"], room: { ...room, program: "make", cwd: "/a/view/sub/in" } },
    { ...common, argv: ["false"], room: { ...room, program: "false" } },
  ]);
  expect(asked[0]?.room).not.toHaveProperty("cwd");
  expect(existsSync(join(scene.root, ".papa-yu/cache"))).toBe(true);
});

test("runChecks() without a sandbox marks what it starts, and bounds what that writes", async () => {
  using scene = openScene();
  const script = "echo $PAPAYU_RUN; head -c 33554432 /dev/zero >large; exec sleep 600";
  const check = await runChecks(scene.workspace, [{ name: "fill", argv: ["sh", "-c", script] }], {
    timeoutMs: 60_000,
    signal,
    env: process.env,
    sandbox: {
      kind: "none",
      reason: "switched off",
      limits: { ...DEFAULT_LIMITS, maxDiskBytes: 8 * 1024 * 1024 },
    },
    mark: "test-mark",
  });
  const [stage] = check.stages;
  expect(stage).toMatchObject({ exitCode: null, timedOut: false, excess: { kind: "disk" } });
  expect(stage?.output).toContain("/test-mark\n");
});
