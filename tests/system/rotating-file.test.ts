import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  createRotatingFile,
  listRotated,
  removeRotated,
} from "../../src/system/logs/rotating-file.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = Bun.fileURLToPath(import.meta.resolve("./rotating-file-child.ts"));
const lost = (lines: number) => `lost ${lines}\n`;

function read(path: string): string {
  return listRotated(path)
    .map((file) => readFileSync(file, "utf8"))
    .join("");
}

describe("createRotatingFile()", () => {
  test("makes its folder and its file, for the owner alone, with the first line", () => {
    using dir = tempDir();
    const path = join(dir.path, "logs/x.log");
    const file = createRotatingFile(path, { maxBytes: 100, keptFiles: 2 }, lost);
    expect(existsSync(path)).toBe(false);
    file.write("one\n");
    expect(read(path)).toBe("one\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir.path, "logs")).mode & 0o777).toBe(0o700);
  });

  test("loses and tears no line while it sets files aside, and keeps no more than it should", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    const file = createRotatingFile(path, { maxBytes: 100, keptFiles: 3 }, lost);
    const lines = Array.from({ length: 30 }, (_, number) => `line ${number}\n`);
    for (const line of lines) file.write(line);
    expect(read(path)).toBe(lines.join(""));
    for (let number = 30; number < 300; number++) file.write(`line ${number}\n`);
    expect(listRotated(path)).toHaveLength(4);
    expect(read(path)).toMatch(/^line \d+\n[\s\S]*line 299\n$/);
    for (const each of listRotated(path)) expect(statSync(each).size).toBeLessThanOrEqual(100);
  });

  test("goes on after an end in the middle of setting aside, and loses nothing", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(`${path}.3`, "a\n"); // .2 was moved up, .1 was not yet
    writeFileSync(`${path}.1`, "b\n");
    writeFileSync(path, "c".repeat(99));
    const file = createRotatingFile(path, { maxBytes: 100, keptFiles: 3 }, lost);
    file.write("d\n");
    expect(listRotated(path).map((each) => readFileSync(each, "utf8")[0])).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
  });

  test("begins a new line after one that a power cut left without an end", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(path, "half");
    createRotatingFile(path, { maxBytes: 100, keptFiles: 1 }, lost).write("whole\n");
    expect(read(path)).toBe("half\nwhole\n");
  });

  test("writes to the file of its name when somebody removes or empties it", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    const file = createRotatingFile(path, { maxBytes: 100, keptFiles: 1 }, lost);
    file.write("one\n");
    rmSync(path);
    file.write("two\n");
    expect(read(path)).toBe("two\n");
    truncateSync(path);
    file.write("three\n");
    expect(read(path)).toBe("three\n");
  });

  test("drops what a full disk refuses, whole, and says how much once there is room", async () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    // A limit on file sizes refuses in the middle of a write, as a full disk does.
    const child = Bun.spawn(
      ["sh", "-c", `ulimit -f 1; exec "$0" "$@"`, process.execPath, CHILD, path],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    expect(await new Response(child.stdout).text()).toBe("went on\n");
    expect(await child.exited).toBe(0);
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(/^(x{99}\n)+$/);
    createRotatingFile(path, { maxBytes: 1e6, keptFiles: 1 }, lost).write("later\n");
    expect(read(path)).toBe(`${text}later\n`);
  });

  test("says how many lines it lost", () => {
    using dir = tempDir();
    const blocker = join(dir.path, "logs");
    writeFileSync(blocker, "");
    const path = join(blocker, "x.log");
    const file = createRotatingFile(path, { maxBytes: 100, keptFiles: 1 }, lost);
    file.write("one\n");
    file.write("two\n");
    rmSync(blocker);
    file.write("three\n");
    expect(read(path)).toBe("lost 2\nthree\n");
  });

  test("survives a SIGKILL at any moment with whole lines in order", async () => {
    using dir = tempDir();
    for (let round = 0; round < 6; round++) {
      const path = join(dir.path, `${round}.log`);
      const child = Bun.spawn([process.execPath, CHILD, path, "forever"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await child.stdout.getReader().read();
      await Bun.sleep(round * 3);
      child.kill("SIGKILL");
      await child.exited;
      const file = createRotatingFile(path, { maxBytes: 500, keptFiles: 5 }, lost);
      file.write("end\n");
      const lines = read(path).trimEnd().split("\n");
      expect(lines.at(-1)).toBe("end");
      const numbers = lines.slice(0, -1).map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
  });
});

test("removeRotated() takes old files, of links only the link, and nothing that is no file", () => {
  using dir = tempDir();
  const path = join(dir.path, "x.log");
  const old = new Date(0);
  const elsewhere = join(dir.path, "elsewhere");
  writeFileSync(elsewhere, "mine\n");
  for (const each of [path, `${path}.2`, `${path}.7`, `${path}.old`]) {
    writeFileSync(each, "line\n");
    utimesSync(each, old, old);
  }
  utimesSync(elsewhere, old, old);
  mkdirSync(`${path}.4`);
  utimesSync(`${path}.4`, old, old);
  symlinkSync(elsewhere, `${path}.3`);
  lutimesSync(`${path}.3`, old, old);
  symlinkSync(join(dir.path, "nowhere"), `${path}.5`);
  lutimesSync(`${path}.5`, old, old);
  symlinkSync(elsewhere, `${path}.1`); // of today
  expect(listRotated(path).map((each) => each.slice(path.length))).toEqual([
    ".7",
    ".3",
    ".2",
    ".1",
    "",
  ]);
  expect(removeRotated(path, 1000)).toBe(4);
  expect(readdirSync(dir.path).toSorted()).toEqual([
    "elsewhere",
    "x.log",
    "x.log.1",
    "x.log.4",
    "x.log.old",
  ]);
});
