import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTEMPTS } from "../../src/system/probes/attempts.ts";
import { layBait } from "../../src/system/probes/lay-bait.ts";
import { probeBounds } from "../../src/system/probes/probe-bounds.ts";
import { runProbes } from "../../src/system/probes/probes.ts";
import type { ProbeResult } from "../../src/system/probes/result.ts";
import { runCommand } from "../../src/system/run/run.ts";
import { createSandbox } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { oneOf } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { weakBubblewrap } from "../support/weak-bubblewrap.ts";

/** Runs the suite, by default in a home of its own, and gives the results by name. */
async function probe(env: Record<string, string> = {}, bounds = false) {
  using home = tempDir();
  mkdirSync(join(home.path, ".ssh"));
  await Bun.write(join(home.path, ".ssh/id"), "private");
  const results = await runProbes({
    mode: "auto",
    env: { ...process.env, HOME: home.path, ...env },
    hidden: [],
    bounds,
    signal: new AbortController().signal,
  });
  return new Map(results.map((result) => [result.name, result]));
}

const inState = (results: ReadonlyMap<string, ProbeResult>, state: ProbeResult["state"]) =>
  [...results.values()].filter((each) => each.state === state).map(({ name }) => name);

test("bait that cannot be laid whole is gone", async () => {
  const own = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`papa-yu-probe-${process.pid}-`));
  const before = own();
  const env = {
    get HOME(): string {
      throw new Error("unreadable");
    },
  };
  const laying = layBait({ hidden: [], bubblewrap: "/usr/bin/bwrap", env });
  expect(await laying.catch(String)).toBe("Error: unreadable");
  expect(own()).toEqual(before);
});

const ALWAYS: readonly string[] = [
  "sandbox",
  "network: a service of this machine",
  "sockets: an abstract one",
  "sockets: one in /tmp",
  "sockets: one in the workspace",
  "files: beside the workspace",
  "files: .git and .papa-yu",
  "files: mounts that can be written to",
  "files: papa-yu's own",
  "files: other workspaces",
  "processes: seen",
  "processes: their environment",
  "processes: signals",
  "rights: capabilities",
  "rights: setuid programs",
  "rights: leaving setuid programs behind",
  "bounds: processes",
  "bounds: memory",
  "bounds: disk in the workspace",
  "bounds: disk in /tmp",
];

/** What bubblewrap is kept from doing, and the probes that have to see it. */
const WEAKNESSES: readonly (readonly [
  what: string,
  words: Readonly<Record<string, string>>,
  names: readonly string[],
])[] = [
  [
    "the machine's network",
    { "--unshare-net": "--unshare-uts" },
    ["network: a service of this machine", "sockets: an abstract one"],
  ],
  [
    "the machine's processes",
    { "--unshare-pid": "--unshare-uts" },
    ["processes: seen", "processes: signals"],
  ],
  [
    "a disk that can be written to",
    { "--ro-bind": "--bind" },
    ["files: mounts that can be written to"],
  ],
  [
    "what others have in /tmp",
    { "--tmpfs": "--dir" },
    [
      "sockets: one in /tmp",
      "files: beside the workspace",
      "files: papa-yu's own",
      "files: other workspaces",
      "files: the home of HOME",
    ],
  ],
  [
    "all system calls",
    { "--seccomp": "--not-known" },
    [
      "network: sockets to a hypervisor",
      "rights: leaving setuid programs behind",
      "terminal: typing into one",
    ],
  ],
  ["rights of root", { "--cap-drop": "--cap-add" }, ["rights: capabilities"]],
];

describe.if(hasBubblewrap)("runProbes()", () => {
  test("finds nothing in reach, tests all it can and says why it cannot test the rest", async () => {
    const results = await probe({}, true);
    expect([...results.values()].filter(({ state }) => state === "failed")).toEqual([]);
    expect([...results.keys()]).toEqual(expect.arrayContaining(Object.keys(ATTEMPTS)));
    expect(results.get("files: the home of HOME")).toMatchObject({ state: "ok" });
    for (const { found } of results.values()) expect(found).not.toBe("");
    // These can be tested wherever bubblewrap works, as root and as a user.
    for (const name of ALWAYS) expect([name, results.get(name)?.state]).toEqual([name, "ok"]);
  });

  test.each(oneOf(6, WEAKNESSES))("sees a sandbox with %s", async (_, words, names) => {
    using dir = tempDir();
    const results = await probe({ PATH: weakBubblewrap(dir.path, words) });
    expect(inState(results, "failed")).toEqual(expect.arrayContaining([...names]));
  });

  test("sees limits that do not hold", async () => {
    using dir = tempDir();
    const limits = { maxProcesses: 10_000, maxMemoryBytes: 1e12, maxDiskBytes: 1e10 };
    const world = { env: process.env, hidden: [], limits };
    const sandbox = await createSandbox({ mode: "bwrap", ...world })();
    if (sandbox.kind === "none") throw new Error(sandbox.reason);
    const room = { program: "sh", root: dir.path, readOnly: [], writable: [], network: false };
    const results = await probeBounds((argv) =>
      runCommand({
        argv: argv.map((word) => word.replaceAll("sleep 10", "true")),
        cwd: dir.path,
        env: process.env,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        maxOutputBytes: 1000,
        limits,
        sandbox: sandbox.enclose(room),
      }),
    );
    expect(results.map(({ state }) => state)).toEqual(results.map(() => "failed"));
  });
});

test("probeBounds() leaves nothing where there is no sandbox, and what others have there alone", async () => {
  using dir = tempDir();
  const places = ["/tmp", "/dev/shm"];
  const inBoth = (names: readonly string[]) =>
    places.flatMap((folder) => names.map((name) => join(folder, name))).filter(existsSync);
  const plain = inBoth(["1", "2", "3"]);
  // As another probe of this machine has it, which may run at the same time.
  const others = places.map((folder) => join(folder, `papayu-bound-${crypto.randomUUID()}`));
  for (const each of others) mkdirSync(each);
  const own = new Set<string>();
  await probeBounds((argv, limits) => {
    for (const [name] of argv.join("\n").matchAll(/papayu-bound-[\w-]+/gu)) own.add(name);
    return runCommand({
      argv: argv.map((word) => word.replaceAll("sleep 10", "sleep 1")),
      cwd: dir.path,
      env: process.env,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      maxOutputBytes: 1000,
      limits,
      writable: [dir.path],
    });
  });
  const left = others.filter(existsSync);
  for (const each of others) rmSync(each, { recursive: true, force: true });
  expect(own.size).toBeGreaterThan(0);
  expect([inBoth([...own]), inBoth(["1", "2", "3"]), left]).toEqual([[], plain, others]);
});
