import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findTraceLines } from "../../../src/planner/context/choose-files.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { measureEffort } from "../../support/effort.ts";

const ROOT = "/home/me/my project";
const PATHS = [
  "app/(shop)/[slug]/page.tsx",
  "app/main.py",
  "cmd/server/main.go",
  "core/src/main/java/com/acme/Foo.java",
  "lib/util.js",
  "other/src/main/java/org/Foo.java",
  "packages/a/src/index.ts",
  "packages/b/src/index.ts",
  "src/lib.rs",
  "src/main.rs",
  "src/x y/z.js",
  "пакет/модуль.py",
];

function find(goal: string): Record<string, readonly number[]> {
  return Object.fromEntries(findTraceLines(goal, ROOT, PATHS));
}

const PYTHON = `Traceback (most recent call last):
  File "/usr/lib/python3/runpy.py", line 3, in run
  File "${ROOT}/app/main.py", line 12, in <module>
    go()
  File "app/main.py", line 7, in go
  File "<frozen importlib._bootstrap>", line 1, in _find
  File "пакет/модуль.py", line 99
ValueError: x`;
const NODE = `TypeError: x is not a function
    at f (${ROOT}/lib/util.js:10:5)
    at async Object.<anonymous> [as bar] (${ROOT}/src/x y/z.js:20:1)
    at file://${encodeURI(ROOT)}/lib/util.js:30:2
    at ${ROOT}/app/(shop)/[slug]/page.tsx:4:4
    at node:internal/modules/cjs/loader:1105:14
    at /home/me/my project evil/lib/util.js:66:1`;
const RUST = `error[E0432]: unresolved import
 --> src/lib.rs:3:1
thread 'main' panicked at src/main.rs:10:5:
   4: core::panicking::panic at /rustc/abc/library/core/src/panicking.rs:1:1
   5: app::main
             at ./src/main.rs:44:9`;
const GO = `goroutine 1 [running]:
main.main()
	${ROOT}/cmd/server/main.go:12 +0x1d
	/usr/local/go/src/runtime/proc.go:250 +0x1
./cmd/server/main.go:30:2: undefined: x`;
const JAVA = `Exception in thread "main" java.lang.IllegalStateException
	at com.acme.Foo.bar(Foo.java:42)
	at com.acme.Foo$Inner.lambda$0(Foo.java:50)
	at app//com.acme.Foo.<init>(Foo.java:7)
	at java.base/java.util.ArrayList.get(ArrayList.java:427)`;

describe("findTraceLines()", () => {
  test.each<[string, string, Record<string, readonly number[]>]>([
    ["Python", PYTHON, { "app/main.py": [12, 7], "пакет/модуль.py": [99] }],
    [
      "Node",
      NODE,
      { "lib/util.js": [10, 30], "src/x y/z.js": [20], "app/(shop)/[slug]/page.tsx": [4] },
    ],
    ["Rust", RUST, { "src/lib.rs": [3], "src/main.rs": [10, 44] }],
    ["Go", GO, { "cmd/server/main.go": [12, 30] }],
    ["Java", JAVA, { "core/src/main/java/com/acme/Foo.java": [42, 50, 7] }],
    ["TypeScript", "lib/util.js(5,7): error TS2322", { "lib/util.js": [5] }],
    ["Windows", "src\\main.rs:8:1", { "src/main.rs": [8] }],
    ["one line", `it fails at f (${ROOT}/lib/util.js:10:5), why?`, { "lib/util.js": [10] }],
    [
      "a base name",
      "see main.go:3 and (util.js:4)",
      { "cmd/server/main.go": [3], "lib/util.js": [4] },
    ],
    ["a subfolder", "../a/src/index.ts:2", { "packages/a/src/index.ts": [2] }],
  ])("finds the places of %s", (_, goal, places) => {
    expect(find(goal)).toEqual(places);
  });

  test.each([
    "src/index.ts:3", // two files end so
    "Foo.java:3",
    "/etc/lib/util.js:3",
    "/lib/util.js:3",
    "https://evil.example/lib/util.js",
    "lib/util.js",
    "meet at 12:30",
    "file:///%zz/lib/util.js:1:1",
    `${ROOT}/../other/lib/util.js:1`,
    "",
  ])("finds no place in %j", (goal) => {
    expect(find(goal)).toEqual({});
  });

  test("keeps eight files and eight lines of each, in the order of the goal", () => {
    const paths = Array.from({ length: 20 }, (_, i) => `d/f${i}.c`);
    const goal = paths.map((path) => [1, 2, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${path}:${n}`));
    const found = findTraceLines(goal.flat().join("\n"), ROOT, paths);
    expect([...found.keys()]).toEqual(paths.slice(0, 8));
    expect(found.get("d/f0.c")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("gives only paths of the listing and lines from 1, whatever the goal says", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(), (text, n) => {
        const found = findTraceLines(`${text}:${n}\nat ${text}(util.js:0)`, ROOT, PATHS);
        for (const [path, lines] of found) {
          expect(PATHS).toContain(path);
          expect(Math.min(...lines)).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  test.each([
    ["at ", 10_000],
    ["at (", 10_000],
    ['File "', 6000],
    ["a.b.", 10_000],
    ["x", 40_000],
    ["f(", 20_000],
    ["/index.ts:1 ", 3000],
    ["a:1", 13_000],
  ])("stays fast on a goal full of %j", (part, times) => {
    const paths = Array.from({ length: 50_000 }, (_, i) => `d${i}/index.ts`);
    const goal = Array.from(
      { length: times },
      (_, i) => (part === "/index.ts:1 " ? `x${i}` : "") + part,
    );
    const effort = measureEffort();
    findTraceLines(goal.join(""), ROOT, paths);
    expect(effort()).toBeLessThan(2000);
  });
});
