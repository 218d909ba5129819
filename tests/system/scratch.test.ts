import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeScratch, removeLeftScratch } from "../../src/system/processes/scratch.ts";
import { childProgram } from "../support/child-program.ts";
import { tempDir } from "../support/temp.ts";

/** A process that makes a folder of each kind, says their paths and waits. */
async function startChild(parent: string) {
  const program = await childProgram(new URL("scratch-child.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, program, parent], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const paths: string[] = JSON.parse(new TextDecoder().decode(value));
  return { child, paths };
}

test("makeScratch() is for its maker alone, and gone with its disposal", () => {
  using dir = tempDir();
  const scratch = makeScratch("door", dir.path);
  expect(statSync(scratch.path).mode & 0o7777).toBe(0o700);
  expect(scratch.path.length - dir.path.length).toBeLessThan(73);
  writeFileSync(join(scratch.path, "file"), "x");
  scratch[Symbol.dispose]();
  expect(readdirSync(dir.path)).toEqual([]);
});

test.each(["gone", "file", "gone/deeper"])(
  "makeScratch() names the folder that takes none: %s",
  (name) => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "file"), "x");
    const parent = join(dir.path, name);
    expect(() => makeScratch("demo", parent)).toThrow(
      expect.objectContaining({ code: "ERR_IO", message: expect.stringContaining(`"${parent}"`) }),
    );
    expect(readdirSync(dir.path)).toEqual(["file"]);
  },
);

test("what a killed process left goes with the next, and nothing before", async () => {
  using dir = tempDir();
  const { child, paths } = await startChild(dir.path);
  expect(paths).toHaveLength(5);
  removeLeftScratch(dir.path);
  expect(paths.filter((path) => existsSync(path))).toEqual(paths); // it runs
  child.kill("SIGKILL");
  await child.exited;
  using next = makeScratch("demo", dir.path);
  expect(readdirSync(dir.path).map((name) => join(dir.path, name))).toEqual([next.path]);
});

test("nothing is removed that is somebody else's or named otherwise", async () => {
  using dir = tempDir();
  const { child, paths } = await startChild(dir.path);
  child.kill("SIGKILL");
  await child.exited;
  const left = paths[0]?.slice(dir.path.length + 1) ?? "";
  const [, ...rest] = paths;
  for (const path of rest) expect(existsSync(path)).toBe(true);
  const target = join(dir.path, "precious");
  mkdirSync(target);
  writeFileSync(join(target, "file"), "kept");
  const [head = "", place = "", tail = ""] = left.split(".");
  const others = [
    `${head}.${place.replace(/./u, (digit) => (digit === "0" ? "1" : "0"))}.${tail}`, // of a container that shares the folder
    `x${left}`,
    `${left}x`,
    left.replace("papa-yu-", "papa-yu-other-"),
    "papa-yu-door-AbC123",
    "papa-yu-door-1-x",
  ];
  for (const name of others) mkdirSync(join(dir.path, name));
  symlinkSync(target, join(dir.path, left.replace(/[0-9a-f]{8}$/u, "00000000")));
  writeFileSync(join(dir.path, left.replace(/[0-9a-f]{8}$/u, "11111111")), "a file");
  removeLeftScratch(dir.path);
  const kept = readdirSync(dir.path);
  expect(kept).toEqual(expect.arrayContaining(others));
  expect(kept).toHaveLength(others.length + 3);
  expect(readFileSync(join(target, "file"), "utf8")).toBe("kept");
  removeLeftScratch(join(dir.path, "none"));
});

test("what another machine has in a folder that both see is not looked for by its process", async () => {
  using dir = tempDir();
  const program = await childProgram(new URL("scratch-child.ts", import.meta.url));
  const named = `hostname other-machine && exec "$0" "$1" "$2"`;
  const script = `exec unshare --user --map-root-user --uts sh -c '${named}' "$0" "$1" "$2"`;
  const argv = ["sh", "-c", script, process.execPath, program, dir.path];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "ignore" });
  const { value = new Uint8Array() } = await child.stdout.getReader().read();
  child.kill("SIGKILL");
  await child.exited;
  removeLeftScratch(dir.path);
  // Where no other name can be had, nothing was made.
  expect(readdirSync(dir.path)).toHaveLength(value.length === 0 ? 0 : 5);
});

test("folders that go with their process are made in one place", async () => {
  const src = join(import.meta.dir, "../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const makers: string[] = [];
  for (const file of files.filter((each) => each.endsWith(".ts"))) {
    const text = await Bun.file(join(src, file)).text();
    if (/\bmkdtemp(?:Sync)?\(|\btmpdir\(\)/u.test(text)) makers.push(file);
  }
  expect(makers.toSorted()).toEqual([...MAKERS]);
});

/** What names a folder for temporary things, and why nothing is left there by a kill. */
const MAKERS: readonly string[] = [
  "daemon/start-daemon.ts", // looks for what is left
  "daemon/tell-failed-start.ts", // one small file for each home, written over
  "planner/verify/door.ts", // names the place, which has to be near the root
  "system/processes/scratch.ts",
  "tools/command/snapshot.ts", // empty, in the workspace's state folder
];
