import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

test("no page holds both sides of a merge", async () => {
  const pages: string[] = [];
  const unsettled: string[] = [];
  // Below node_modules other tests make folders, and take them away.
  for (const places of ["*.md", "docs/**/*.md", "skills/**/*.md"]) {
    for await (const path of new Bun.Glob(places).scan(ROOT)) {
      pages.push(path);
      const text = await Bun.file(join(ROOT, path)).text();
      if (/^(?:<{7}|>{7}) /mu.test(text)) unsettled.push(path);
    }
  }
  expect(pages).toContain("docs/recovery.md");
  expect(unsettled).toEqual([]);
});

const PLAN = await Bun.file(join(ROOT, "ARCHITECTURE.md")).text();

/** The folders of commands are called as these are. */
const SELF_SAID: ReadonlySet<string> = new Set(["src/cli"]);

test("ARCHITECTURE.md has every folder of a room", () => {
  const foldersOf = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const rows = new Map(
    [...PLAN.matchAll(/^\| `([\w/]+)\/` \| (.*) \|$/gmu)].map(([, room = "", row]) => [room, row]),
  );
  const isTold = (room: string, folder: string) =>
    rows.get(room)?.includes(`\`${folder}/\``) || rows.has(`${room}/${folder}`);
  const rooms = foldersOf("src").filter((room) => !SELF_SAID.has(`src/${room}`));
  const untold = rooms.flatMap((room) =>
    foldersOf(`src/${room}`)
      .filter((folder) => !isTold(room, folder))
      .map((folder) => `${room}/${folder}`),
  );
  expect(rooms.length).toBeGreaterThan(15);
  expect(untold).toEqual([]);
});

test("ARCHITECTURE.md says of every file of the home what it is", async () => {
  const table = PLAN.slice(PLAN.indexOf("## Where state lives"), PLAN.indexOf("## Invariants"));
  const names = new Set<string>();
  for await (const path of new Bun.Glob("src/**/*.ts").scan(ROOT)) {
    const text = await Bun.file(join(ROOT, path)).text();
    for (const [, name = ""] of text.matchAll(/\bjoin\((?:\w+\.)*home, "([\w.-]+)"/gu))
      names.add(name);
  }
  const isTold = (name: string) =>
    new RegExp(`[\`/]${RegExp.escape(name.replace(/\..*/u, ""))}\\b`, "u").test(table);
  expect(names.size).toBeGreaterThan(8);
  expect([...names].filter((name) => !isTold(name))).toEqual([]);
});

test("docs/words.md has each word once, with a file that has it", async () => {
  const text = await Bun.file(join(ROOT, "docs/words.md")).text();
  const rows = [...text.matchAll(/^\| ([a-z ]+) \| (.+) \| `(src\/.+)` \|$/gmu)];
  const words = rows.map(([, word = ""]) => word);
  expect(words.length).toBeGreaterThan(20);
  expect(words).toEqual([...new Set(words)]);
  const wrong: string[] = [];
  for (const [, word = "", , path = ""] of rows) {
    const file = Bun.file(join(ROOT, path));
    const code = (await file.exists()) ? (await file.text()).toLowerCase() : "";
    if (!code.includes(word.replace(" ", ""))) wrong.push(`${word}: ${path}`);
  }
  expect(wrong).toEqual([]);
});
