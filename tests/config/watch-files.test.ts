import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { watchFiles } from "../../src/config/watch-files.ts";
import { tempDir } from "../support/temp.ts";

type Step = readonly [atMs: number, act: (path: string) => void];

/** Plays steps on a file by a clock of its own; gives when saves were seen, and what was there. */
async function play(steps: readonly Step[], endMs = 5000): Promise<readonly [number, string][]> {
  using dir = tempDir();
  const path = join(dir.path, "c.toml");
  writeFileSync(path, "first");
  const seen: [number, string][] = [];
  const halt = new AbortController();
  let now = 0;
  const sleep = async (ms: number) => {
    for (const [at, act] of steps) if (at > now && at <= now + ms) act(path);
    now += ms;
    if (now >= endMs) halt.abort();
  };
  const saved = async () => {
    seen.push([now, existsSync(path) ? readFileSync(path, "utf8") : "(gone)"]);
  };
  const watch = { clock: { now: () => now, sleep }, signal: halt.signal };
  await watchFiles(() => [path, `${path}.other`], saved, watch);
  return seen;
}

const write = (text: string) => (path: string) => writeFileSync(path, text);

describe("watchFiles() sees once, and whole,", () => {
  test.each<[string, readonly Step[], readonly string[]]>([
    ["nothing where nothing was saved", [], []],
    ["a file written in place", [[1000, write("new")]], ["new"]],
    [
      "two saves",
      [
        [1000, write("one")],
        [2500, write("two")],
      ],
      ["one", "two"],
    ],
    [
      "a file that is emptied first",
      [
        [1000, (path) => truncateSync(path)],
        [1250, write("new")],
      ],
      ["new"],
    ],
    [
      "a file written in parts",
      [
        [1000, write("n")],
        [1040, (path) => appendFileSync(path, "e")],
        [1120, (path) => appendFileSync(path, "w")],
      ],
      ["new"],
    ],
    [
      "a file that is moved away first",
      [
        [1000, (path) => renameSync(path, `${path}~`)],
        [1250, write("new")],
      ],
      ["new"],
    ],
    [
      "a file that another takes the place of",
      [
        [1000, (path) => writeFileSync(`${path}.tmp`, "new")],
        [1001, (path) => renameSync(`${path}.tmp`, path)],
      ],
      ["new"],
    ],
    [
      "a file that is gone, and that it is back",
      [
        [1000, (path) => rmSync(path)],
        [3000, write("back")],
      ],
      ["(gone)", "back"],
    ],
    [
      "what a link leads to",
      [
        [
          1000,
          (path) => {
            renameSync(path, `${path}.real`);
            symlinkSync(`${path}.real`, path);
          },
        ],
        [2500, (path) => writeFileSync(`${path}.real`, "behind")],
      ],
      ["first", "behind"],
    ],
    [
      "another file of the list",
      [[1000, (path) => writeFileSync(`${path}.other`, "x")]],
      ["first"],
    ],
  ])("%s", async (_, steps, expected) => {
    expect((await play(steps)).map(([, text]) => text)).toEqual([...expected]);
  });

  test("a save within a second, whenever it comes", async () => {
    for (let at = 1000; at < 1400; at += 25) {
      const [first] = await play([[at, write("new")]], 2500);
      expect(first?.[0]).toBeLessThan(at + 900);
    }
  });
});

test("watchFiles() tells of a save within a second, though something moves all the time", async () => {
  const moves = Array.from({ length: 100 }, (_, n): Step => [n * 50 + 1, write(`move ${n}`)]);
  const seen = await play(moves);
  const times = [0, ...seen.map(([at]) => at)];
  expect(times.length).toBeGreaterThan(4);
  expect(times.slice(1).map((at, n) => at - (times[n] ?? 0) <= 1050)).not.toContain(false);
});
