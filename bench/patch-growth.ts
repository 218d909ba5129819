import { applyPatch as peerApplyPatch } from "diff";
import { applyPatch } from "../src/patch/apply-patch.ts";
import { median } from "./median.ts";

/** A patch, what should become of it, and whether the `diff` package ends on it in sane time. */
interface Case {
  readonly name: string;
  readonly source: string;
  readonly patch: string;
  readonly fits: boolean;
  readonly peer: boolean;
}

const ROUNDS = 5;
const SIZES = [1000, 10_000, 100_000, 1_000_000];

/** How the time grows with the file, where a hunk is and where it has to be looked for. */
export function growthTable(): string {
  const rows = SIZES.map((size) => ({ size, cases: casesOf(size).map(timesOf) }));
  const first = rows[0]?.cases ?? [];
  const body = rows.map(({ size, cases }, i) => {
    const above = rows[i - 1]?.cases;
    const cells = cases.map(({ oursMs, peerMs }, k) => {
      const grown =
        above === undefined ? "" : ` (x${(oursMs / (above[k]?.oursMs ?? 1)).toFixed(1)})`;
      return `${toCell(oursMs)}${grown} | ${toCell(peerMs)}`;
    });
    return `| ${[size.toLocaleString("en"), ...cells].join(" | ")} |`;
  });
  return [
    `| lines | ${first.map(({ name }) => `${name}, ms | diff`).join(" | ")} |`,
    `|---${"|---|---".repeat(first.length)}|`,
    ...body,
  ].join("\n");
}

/** What an unbounded patch engine takes seconds for, or forever. */
export function boundsTable(): string {
  const rows = bounds().map((make) => {
    const { name, oursMs, peerMs } = timesOf(make());
    return `| ${name} | ${toCell(oursMs)} | ${toCell(peerMs)} |`;
  });
  return ["| bound | applyPatch ms | diff package ms |", "|---|---|---|", ...rows].join("\n");
}

/** One hunk in the middle of a file, ever further from what it quotes. */
function casesOf(size: number): readonly Case[] {
  const lines = Array.from({ length: size }, (_, i) => `    const value${i} = f(${i % 97});`);
  const source = toText(lines);
  const at = size >> 1;
  const [a = "", b = "", c = "", d = ""] = lines.slice(at, at + 4);
  const patchOf = (line: number, [above, old, below, last]: readonly string[]) =>
    `@@ -${line},4 +${line},4 @@\n ${above}\n-${old}\n+new\n ${below}\n ${last}\n`;
  const own = [a, b, c, d];
  const misquoted = [a, b, c, `${d} // not there`];
  const foreign = ["nothing", "of this", "stands", "there"];
  return [
    { name: "clean", source, patch: patchOf(at + 1, own), fits: true, peer: true },
    { name: "moved", source, patch: patchOf(1, own), fits: true, peer: true },
    { name: "misquoted", source, patch: patchOf(1, misquoted), fits: true, peer: false },
    { name: "fits nowhere", source, patch: patchOf(1, foreign), fits: false, peer: true },
  ];
}

function bounds(): readonly (() => Case)[] {
  return [identicalLines, longLine, movedHunks, misquotedHunks, headings, largeText, rewrite];
}

function identicalLines(): Case {
  const [source, half] = ["same\n".repeat(100_000), " same\n".repeat(50_000)];
  const patch = `@@ -1,50001 +1,50001 @@\n${half}-other\n+new\n`;
  const name = "100,000 identical lines, a hunk of 50,001 that does not fit";
  return { name, source, patch, fits: false, peer: false };
}

function longLine(): Case {
  const line = "word ".repeat(200_000);
  const patch = `@@ -1,2 +1,2 @@\n ${line}\n-end\n+END\n`;
  return {
    name: "1 MB on one line, misquoted",
    source: `${line}x\nend\n`,
    patch,
    fits: false,
    peer: true,
  };
}

function movedHunks(): Case {
  const source = `first\n${toText(fewValues())}`;
  return {
    name: "10,000 hunks, moved",
    source,
    patch: hunksOf(fewValues(), ""),
    fits: true,
    peer: true,
  };
}

function misquotedHunks(): Case {
  const patch = hunksOf(fewValues(), " not there");
  return {
    name: "10,000 hunks, misquoted",
    source: toText(fewValues()),
    patch,
    fits: true,
    peer: false,
  };
}

function headings(): Case {
  const heads = Array.from({ length: 10_000 }, (_, i) => `head${i} {`);
  const source = `${toText(heads)}${"  a\n  b\n}\n".repeat(50)}`;
  const patch = heads.map((head) => `@@ ... @@ ${head}\n   a\n-  b\n+  c\n }\n`).join("");
  return { name: "10,000 headings, 50 copies of a block", source, patch, fits: false, peer: false };
}

function largeText(): Case {
  const lines = manyLines();
  const [a, b, c] = lines.slice(70_000);
  const patch = `@@ ... @@\n ${a}\n-${b}\n+new\n ${c}\n not there\n`;
  return { name: "5 MB, misquoted", source: toText(lines), patch, fits: true, peer: false };
}

function rewrite(): Case {
  const lines = manyLines();
  const sides = `${lines.map((line) => `-${line}\n`).join("")}${lines.map((line) => `+${line};\n`).join("")}`;
  const patch = `@@ -1,${lines.length} +1,${lines.length} @@\n${sides}`;
  return {
    name: "5 MB, every line rewritten",
    source: toText(lines),
    patch,
    fits: true,
    peer: true,
  };
}

function hunksOf(lines: readonly string[], spoiled: string): string {
  return Array.from({ length: lines.length / 4 }, (_, i) => {
    const [a, b, c, d] = lines.slice(i * 4, i * 4 + 4);
    const range = `${i * 4 + 1},4`;
    return `@@ -${range} +${range} @@\n ${a}\n ${b}${spoiled}\n-${c}\n+new\n ${d}\n`;
  }).join("");
}

function fewValues(): readonly string[] {
  return Array.from({ length: 40_000 }, (_, i) => `value ${i}`);
}

function manyLines(): readonly string[] {
  return Array.from(
    { length: 100_000 },
    (_, i) => `    const value${i} = compute(${i % 97}, "some text");`,
  );
}

function toText(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function timesOf({ name, source, patch, fits, peer }: Case) {
  const oursMs = medianOf(() => {
    if (applyPatch(source, patch).ok !== fits) throw new Error(`wrong result: ${name}`);
  });
  return { name, oursMs, peerMs: peer ? medianOf(() => peerApplyPatch(source, patch)) : undefined };
}

function medianOf(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return median(times);
}

function toCell(ms: number | undefined): string {
  return ms === undefined ? "–" : ms.toFixed(1);
}
