import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

/** What is patched, with `size` lines or hunks. */
type Make = (size: number) => { readonly source: string; readonly patch: string };

const GROWTH = 8;
/** Halfway between work that grows like its input and work that grows like the square of it. */
const MOST_GROWTH = 32;
const ROUNDS = runs(2, 8);

/** The least of several times: the first ones pay for what is compiled. */
function leastMs({ source, patch }: ReturnType<Make>): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const effort = measureEffort();
    applyPatch(source, patch);
    return effort();
  });
  return Math.min(...times);
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `  value${i} = f(${i % 97})`);
}

/** A file of `size` lines and one hunk in its middle, whose four lines go through `spoil`. */
function oneHunk(spoil: (line: string, k: number) => string): Make {
  return (size) => {
    const lines = numbered(size);
    const [a, b, c, d] = lines.slice(size >> 1, (size >> 1) + 4).map(spoil);
    return {
      source: lines.join("\n"),
      patch: `@@ -1,4 +1,4 @@\n ${a}\n ${b}\n-${c}\n+new\n ${d}\n`,
    };
  };
}

/** A file of four lines for each of `size` hunks, whose second line goes through `spoil`. */
function manyHunks(spoil: (line: string) => string): Make {
  return (size) => {
    const lines = numbered(4 * size);
    const hunks = Array.from({ length: size }, (_, i) => {
      const [a = "", b = "", c = "", d = ""] = lines.slice(4 * i, 4 * i + 4);
      return `@@ ... @@\n ${a}\n ${spoil(b)}\n-${c}\n+new\n ${d}\n`;
    });
    return { source: lines.join("\n"), patch: hunks.join("") };
  };
}

/** Below each of many hunks the end of something that the patch was put in. */
function manyWrapped(size: number): ReturnType<Make> {
  const { source, patch } = manyHunks((line) => line)(size);
  let count = 0;
  return { source, patch: patch.replace(/\n(?=@@)/g, () => `\n*** Update File: f${count++}\n`) };
}

const BY_LINES: Readonly<Record<string, Make>> = {
  "many hunks that are wrapped": manyWrapped,
  "a hunk that was moved": oneHunk((line) => line),
  "a hunk without indentation": oneHunk((line) => line.trim()),
  "a hunk with other blanks": oneHunk((line) => line.replace("=", " = ")),
  "a misquoted hunk": oneHunk((line, k) => (k === 0 ? `${line} not there` : line)),
  "a hunk that fits nowhere": oneHunk((_, k) => `value ${k} is not there`),
  "a long hunk of identical lines that does not fit": (size) => ({
    source: "same\n".repeat(size),
    patch: `@@ ... @@\n${" same\n".repeat(size >> 1)}-other\n+new\n`,
  }),
  "one long line": (size) => {
    const line = `"a" + `.repeat(size);
    return { source: `${line}x\nend\n`, patch: `@@ -1,2 +1,2 @@\n ${line}\n-end\n+END\n` };
  },
};

const BY_HUNKS: Readonly<Record<string, Make>> = {
  "hunks that were moved": manyHunks((line) => line),
  "misquoted hunks": manyHunks((line) => `${line} not there`),
  "hunks with headings of their own": (size) => {
    const heads = Array.from({ length: size }, (_, i) => `head${i} {`);
    return {
      source: `${heads.join("\n")}\n${"  a\n  b\n}\n".repeat(50)}`,
      patch: heads.map((head) => `@@ ... @@ ${head}\n   a\n-  b\n+  c\n }\n`).join(""),
    };
  },
};

describe("applyPatch() takes time in proportion to its input", () => {
  for (const [cases, size] of [
    [BY_LINES, runs(3000, 8000)],
    [BY_HUNKS, runs(120, 250)],
  ] as const) {
    for (const [name, make] of Object.entries(cases)) {
      test(name, () => {
        const [small, large] = [make(size), make(size * GROWTH)];
        // What is compiled by the first of the two must not count against the other.
        applyPatch(large.source, large.patch);
        expect(leastMs(large) / leastMs(small)).toBeLessThan(MOST_GROWTH);
      });
    }
  }
});
