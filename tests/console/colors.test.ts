import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  COLOR_CSS,
  type Colors,
  createColors,
  KINDS,
  type LineColors,
  type Painter,
} from "../../src/console/colors/colors.ts";
import { languageOfFile } from "../../src/console/colors/language-of.ts";
import { GRAMMARS } from "../../src/console/colors/languages.ts";
import { syntaxOf, toPieces } from "../../src/console/pages/review/row/marks.ts";
import { runs } from "../support/long.ts";

const WORKER = join(import.meta.dir, "../../src/console/colors/worker.ts");
const workers: Worker[] = [];
afterAll(() => {
  for (const worker of workers) worker.terminate();
});

/** The page's own worker, in a thread of the tests. */
function startPainter(onAnswer: (data: unknown) => void, onFailed: () => void): Painter {
  const worker = new Worker(WORKER);
  workers.push(worker);
  worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => onAnswer(data));
  worker.addEventListener("error", onFailed);
  return {
    post: (request) => worker.postMessage(request, []),
    terminate: () => worker.terminate(),
  };
}

const wait = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
const colors: Colors = createColors(startPainter, wait);

/** The kinds of a line as words with what they are of. */
function readLine(text: string, side: LineColors | null | undefined, line: number): string {
  const shown = text.split("\n")[line - 1] ?? "";
  return toPieces(shown, [], "", syntaxOf(side, line))
    .filter(({ syntax }) => syntax > 0)
    .map((piece) => `${KINDS[piece.syntax]} ${piece.text.trim()}`)
    .join(", ");
}

async function paint(path: string, text: string): Promise<LineColors | null | undefined> {
  return (await colors.ask(path, null, text))?.after;
}

/** Something of each language that nobody takes for plain text. */
const SAMPLES: Readonly<Record<string, string>> = {
  "a.sh": 'if [ -f "$1" ]; then echo hi; fi\n# why',
  "a.c": "int main(void) { return 0; } // why",
  "a.clj": '(defn f [x] (str "a" x)) ; why',
  "a.cpp": "class A { public: int x = 1; }; // why",
  "a.cs": 'public class A { string s = "a"; } // why',
  "a.css": "a { color: red; } /* why */",
  "a.dart": "void main() { print('a'); } // why",
  "a.diff": "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b",
  Dockerfile: "FROM scratch\n# why",
  "a.ex": 'def f(x), do: "a" # why',
  "a.erl": 'f(X) -> "a". % why',
  "a.fs": 'let f x = "a" // why',
  "a.go": 'func main() { return "a" } // why',
  "a.graphql": "type Query { a: Int } # why",
  "a.hs": 'f x = if x then "a" else "b" -- why',
  "a.hcl": 'a = "b" # why',
  "a.html": '<a href="b">c</a><!-- why -->',
  "a.ini": "[a]\nb=1\n; why",
  "a.java": 'class A { String s = "a"; } // why',
  "a.js": 'const a = "b"; // why',
  "a.json": '{"a": 1}',
  "a.jsonc": '{"a": 1} // why',
  "a.kt": 'fun main() { val a = "b" } // why',
  "a.less": "@a: 1px; // why",
  "a.lua": 'local a = "b" -- why',
  Makefile: "a: b\n\techo c\n# why",
  "a.md": "# Title\n\n`code` and **bold**",
  "a.nix": '{ a = "b"; } # why',
  "a.ml": 'let f x = "a" (* why *)',
  "a.pl": 'my $a = "b"; # why',
  "a.php": '<?php function f() { return "a"; } // why',
  "a.ps1": 'function F { return "a" } # why',
  "a.proto": "message A { string b = 1; } // why",
  "a.py": 'def f():\n    return "a"  # why',
  "a.r": 'f <- function(x) "a" # why',
  "a.rb": 'def f\n  "a" # why\nend',
  "a.rs": 'fn main() { let a = "b"; } // why',
  "a.scala": 'object A { val a = "b" } // why',
  "a.scss": "$a: 1px; // why",
  "a.sql": "SELECT a FROM b WHERE c = 'd' -- why",
  "a.svelte": "<script>let a = 1;</script><p>{a}</p>",
  "a.swift": 'func f() { let a = "b" } // why',
  "a.tf": 'resource "a" "b" {} # why',
  "a.toml": 'a = "b" # why',
  "a.tsx": "const a = <b c={1}>d</b>; // why",
  "a.ts": 'const a: string = "b"; // why',
  "a.vue": "<template><p>{{ a }}</p></template>",
  "a.xml": '<a b="c"/><!-- why -->',
  "a.yaml": "a: 'b' # why",
  "a.zig": 'const a = "b"; // why',
};

describe("createColors()", () => {
  test("has a sample of every language, each of which gets colours", async () => {
    const named = Object.keys(SAMPLES).map((path) => languageOfFile(path));
    expect(new Set<string | undefined>(named)).toEqual(new Set(Object.keys(GRAMMARS)));
    expect(named.length).toBeGreaterThanOrEqual(30);
    const plain: string[] = [];
    for (const [path, text] of Object.entries(SAMPLES)) {
      const side = await paint(path, text);
      if (!side?.kinds.some((kind) => kind > 0)) plain.push(path);
      const lines = text.split("\n").length;
      expect([path, side?.starts.length]).toEqual([path, lines + 1]);
      const isMarked = text.split("\n").map((_, at) => readLine(text, side, at + 1));
      if (text.includes("why"))
        expect([path, isMarked.join()]).toEqual([path, expect.stringMatching(/comment[^,]*why/u)]);
    }
    expect(plain).toEqual([]);
  });

  test("colours a line by all that stands before it in the file", async () => {
    const text = "/*\nconst a = 1;\n*/\nconst a = 1;\r\n`x\n${b}\n`;\n";
    const side = await paint("a.ts", text);
    expect(readLine(text, side, 2)).toBe("comment const a = 1;");
    expect(readLine(text, side, 4)).toBe("keyword const, number a, number 1");
    expect(readLine(text, side, 7)).toBe("string `");
  });

  test("leaves plain what has no language, is large or has a long line, and asks no worker", async () => {
    const asked: unknown[] = [];
    const none = createColors(() => {
      asked.push(1);
      throw new Error("no worker");
    }, wait);
    expect(await none.ask("a.unknown", "a", "b")).toBeUndefined();
    expect(await none.ask("a.ts", null, "a\n".repeat(600_000))).toBeUndefined();
    expect(await none.ask("a.ts", "x".repeat(10_001), "b")).toBeUndefined();
    expect(asked).toEqual([]);
    // A browser without workers: three tries, and no error in anybody's hand.
    for (let at = 0; at < 5; at++) expect(await none.ask("a.ts", "a", "b")).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  test("ends a worker that is stuck, and goes on with another", async () => {
    const ends: string[] = [];
    const late: (() => void)[] = [];
    let made = 0;
    const some = createColors(
      (onAnswer) => {
        const name = `${++made}`;
        return {
          post: ({ id }) => {
            if (name !== "1") onAnswer({ id, sides: [null, null] });
          },
          terminate: () => void ends.push(name),
        };
      },
      (_, run) => {
        late.push(run);
        return () => {};
      },
    );
    const stuck = some.ask("a.ts", "a", "b");
    const next = some.ask("a.ts", "a", "b");
    await Promise.resolve();
    late[0]?.();
    expect(await stuck).toBeUndefined();
    expect(await next).toEqual({ before: null, after: null });
    expect([ends, made]).toEqual([["1"], 2]);
  });

  test("takes no answer that is none", async () => {
    for (const sides of [undefined, null, 7, [{ starts: [0] }, "x"]]) {
      const odd = createColors(
        (onAnswer) => ({
          post: ({ id }) => {
            onAnswer({ id: id + 1, sides: [null, null] });
            onAnswer("?");
            onAnswer({ id, sides });
          },
          terminate() {},
        }),
        wait,
      );
      const got = await odd.ask("a.ts", "a", "b");
      expect(got ?? { before: null, after: null }).toEqual({ before: null, after: null });
    }
  });
});

describe("what somebody made for a grammar", () => {
  /** Of each language the same strange texts: what opens and never ends, nests, or repeats. */
  const TRAPS = [
    "(".repeat(9000),
    "<".repeat(9000),
    `${"a".repeat(9000)}!`,
    `"${"\\".repeat(9000)}`,
    `/*${"*".repeat(9000)}`,
    `${" ".repeat(9000)}x`,
    "${".repeat(3000),
    "a=".repeat(4000),
    "<a b='".repeat(1500),
    "[](".repeat(3000),
    "x<".repeat(4000),
    "#{".repeat(4000),
    "\t- ".repeat(3000),
  ];

  const paths = Object.keys(SAMPLES);
  const some = runs(paths.length / 10, paths.length);
  const tried = paths.filter((_, at) => at % Math.ceil(paths.length / some) === 0);

  test.each(tried)(
    "ends in %s, with colours or without, and the next file has its own",
    async (path) => {
      // What takes longer than a worker is given is ended; here it is given a tenth.
      const own = createColors(startPainter, (ms, run) => wait(ms / 10, run));
      const text = `${TRAPS.join("\n")}\n`;
      const side = (await own.ask(path, null, text))?.after;
      if (side) expect(side.starts.length).toBe(TRAPS.length + 2);
      own.close();
    },
  );
});

describe("toPieces() with the colours of a line", () => {
  test("joins to the line again, whatever the colours say", () => {
    const syntax = fc.array(fc.tuple(fc.nat(60), fc.nat(12)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 50 }), syntax, (text, some) => {
        const sorted = some.toSorted(([one], [other]) => one - other);
        const pieces = toPieces(text, [], "", sorted);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }),
      { numRuns: runs(60, 3000) },
    );
  });
});

describe("COLOR_CSS", () => {
  const css = readFileSync(join(import.meta.dir, "../../src/console/styles/colors.css"), "utf8");
  const pair = (name: string) =>
    new RegExp(String.raw`--${name}: light-dark\((#\w{6}), (#\w{6})\)`, "u").exec(css)?.slice(1) ??
    [];

  test("has a contrast of at least 4.5 on every ground of a line, light and dark", () => {
    const grounds = ["surface", "add", "del", "add-word", "del-word"].map(pair);
    const found = [...COLOR_CSS.matchAll(/\.k-(\w+)\{color:light-dark\((#\w{6}),(#\w{6})\)\}/gu)];
    expect(found.map(([, name]) => name)).toEqual(KINDS.slice(1));
    const weak = found.flatMap(([, name, ...both]) =>
      both.flatMap((color, at) =>
        grounds.flatMap((ground) => {
          const got = contrast(color ?? "", ground[at] ?? "");
          return got < 4.5 ? [`${name} ${at} ${got}`] : [];
        }),
      ),
    );
    expect(weak).toEqual([]);
  });

  function contrast(one: string, other: string): number {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  function luminance(color: string): number {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
});
