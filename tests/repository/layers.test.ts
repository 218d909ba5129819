import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");

/** The floor of each room; a room imports only from floors below its own. See ARCHITECTURE.md. */
const FLOORS: Readonly<Record<string, number>> = {
  core: 0,
  system: 1,
  texts: 1,
  protocol: 2,
  patch: 2,
  workspace: 2,
  providers: 2,
  security: 2,
  http: 2,
  transaction: 3,
  trace: 3,
  store: 3,
  config: 3,
  research: 3,
  planner: 4,
  tools: 4,
  channels: 4,
  agent: 5,
  routines: 6,
  daemon: 7,
  cli: 8,
  main: 9,
};

/** Files that stand directly in `src/`, by the room they belong to. */
const ROOT_FILES: Readonly<Record<string, string>> = {
  "main.ts": "main",
  "index.ts": "main",
};

/** Same floor, and still allowed: pure rooms may share plain types and functions. */
const NEIGHBOURS: ReadonlySet<string> = new Set(["protocol patch", "patch protocol"]);

test("every room of src/ stands on a floor", async () => {
  const rooms = new Set((await sources()).map(toRoom));
  expect([...rooms].filter((room) => FLOORS[room] === undefined)).toEqual([]);
});

test("a room imports only from floors below its own", async () => {
  const wrong: string[] = [];
  for (const file of await sources()) {
    for (const target of await importsOf(file)) {
      const [from, to] = [toRoom(file), toRoom(target)];
      const falls = (FLOORS[from] ?? -1) > (FLOORS[to] ?? 99);
      if (from !== to && !falls && !NEIGHBOURS.has(`${from} ${to}`))
        wrong.push(`${file} → ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("adapters of one room do not import each other", async () => {
  const adapters = (file: string) => /^channels\/(\w+)\//u.exec(file)?.[1];
  const wrong: string[] = [];
  for (const file of await sources()) {
    for (const target of await importsOf(file)) {
      const [from, to] = [adapters(file), adapters(target)];
      if (from && to && from !== to) wrong.push(`${file} → ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("patch/ and protocol/ do no IO", async () => {
  const wrong: string[] = [];
  for (const file of (await sources()).filter((path) => /^(patch|protocol)\//u.test(path))) {
    const text = await Bun.file(join(SRC, file)).text();
    if (/from "(node:(fs|net|http|child_process)|bun:sqlite)|\bBun\.|\bfetch\(/u.test(text))
      wrong.push(file);
  }
  expect(wrong).toEqual([]);
});

test("no file of src/ is longer than 300 lines", async () => {
  const long: string[] = [];
  for (const file of await sources()) {
    const lines = (await Bun.file(join(SRC, file)).text()).split("\n").length - 1;
    if (lines > 300) long.push(`${file}: ${lines}`);
  }
  expect(long).toEqual([]);
});

async function sources(): Promise<readonly string[]> {
  const found = await Array.fromAsync(new Glob("**/*.ts").scan(SRC));
  expect(found.length).toBeGreaterThan(50);
  return found.toSorted();
}

/** Relative imports of a file, static, dynamic and of types, as paths below `src/`. */
async function importsOf(file: string): Promise<readonly string[]> {
  const text = await Bun.file(join(SRC, file)).text();
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/gu)]
    .map((match) => relative(SRC, join(SRC, dirname(file), match[1] ?? "")))
    .filter((target) => target.endsWith(".ts") && !target.startsWith(".."));
}

function toRoom(file: string): string {
  const [first = "", ...rest] = file.split("/");
  return rest.length === 0 ? (ROOT_FILES[first] ?? first) : first;
}
