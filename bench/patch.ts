import { createTwoFilesPatch, applyPatch as peerApplyPatch } from "diff";
import { applyPatch } from "../src/patch/apply-patch.ts";

interface Case {
  readonly name: string;
  readonly lineCount: number;
  readonly hunkCount: number;
  readonly rounds: number;
  /** Calls a round, so that a round is long beside the clock's grain. */
  readonly calls: number;
}

const CASES: readonly Case[] = [
  { name: "1 kB, 1 hunk", lineCount: 20, hunkCount: 1, rounds: 60, calls: 500 },
  { name: "5,000 lines, 20 hunks", lineCount: 5000, hunkCount: 20, rounds: 40, calls: 5 },
  { name: "100,000 lines, 200 hunks", lineCount: 100_000, hunkCount: 200, rounds: 12, calls: 1 },
];

/** The patch engine beside the `diff` package on clean patches: medians of one run, as a table. */
export async function benchPatch(): Promise<string> {
  const rows = CASES.map((one) => {
    const { before, after, patch } = makePatch(one);
    const ours = () => {
      const result = applyPatch(before, patch);
      return result.ok && result.text;
    };
    const theirs = () => peerApplyPatch(before, patch);
    if (ours() !== after || theirs() !== after) throw new Error(`wrong result: ${one.name}`);
    const [oursMs, theirsMs] = medians(ours, theirs, one);
    const ratio = (theirsMs / oursMs).toFixed(1);
    return `| ${one.name} | ${oursMs.toFixed(3)} | ${theirsMs.toFixed(3)} | ${ratio} |`;
  });
  return [
    "| clean patch | applyPatch ms | diff package ms | times faster |",
    "|---|---|---|---|",
    ...rows,
    "",
    "| lines | moved, ms | misquoted, ms | fits nowhere, ms | alike, fits nowhere, ms |",
    "|---|---|---|---|---|",
    ...[1000, 10_000, 100_000, 1_000_000].map(growthOf),
  ].join("\n");
}

/** How the time grows with the file where a hunk has to be looked for. */
function growthOf(lineCount: number): string {
  const lines = Array.from({ length: lineCount }, (_, i) => `    const value${i} = f(${i % 97});`);
  const [source, at] = [`${lines.join("\n")}\n`, lineCount >> 1];
  const [a = "", b = "", c = "", d = ""] = lines.slice(at, at + 4);
  const moved = `@@ -1,3 +1,3 @@\n ${a}\n-${b}\n+new\n ${c}\n`;
  const misquoted = `@@ ... @@\n ${a}\n-${b}\n+new\n ${c}\n ${d} // not there\n`;
  const foreign = "@@ ... @@\n nothing\n-of this\n+new\n stands there\n";
  const alike = `@@ ... @@\n${" same\n".repeat(20)}-other\n+new\n`;
  const runs = [
    () => applyPatch(source, moved).ok,
    () => applyPatch(source, misquoted).ok,
    () => !applyPatch(source, foreign).ok,
    () => !applyPatch("same\n".repeat(lineCount), alike).ok,
  ];
  const cells = runs.map((run) => {
    if (!run()) throw new Error(`wrong result at ${lineCount} lines`);
    return median(Array.from({ length: 5 }, () => measure(run, 1))).toFixed(1);
  });
  return `| ${[lineCount.toLocaleString("en"), ...cells].join(" | ")} |`;
}

/** Lines like those of a program, some of them repeated, changed at even distances. */
function makePatch({ lineCount, hunkCount }: Case): {
  before: string;
  after: string;
  patch: string;
} {
  const lines = Array.from({ length: lineCount }, (_, i) =>
    i % 5 === 4 ? "  }" : `    const value${i} = compute(${i % 97}, "text of line");`,
  );
  const step = Math.floor(lineCount / hunkCount);
  const changed = lines.flatMap((line, i) =>
    i % step === Math.floor(step / 2) ? [`${line} // changed`, "    added();"] : [line],
  );
  const before = `${lines.join("\n")}\n`;
  const after = `${changed.join("\n")}\n`;
  return { before, after, patch: createTwoFilesPatch("a/f.ts", "b/f.ts", before, after) };
}

/** Medians for one call of two functions that take turns, so that a busy moment hits both. */
function medians(
  a: () => unknown,
  b: () => unknown,
  { rounds, calls }: Case,
): readonly [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    times[0].push(measure(a, calls));
    times[1].push(measure(b, calls));
  }
  return [median(times[0]), median(times[1])];
}

function measure(run: () => unknown, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) run();
  return (performance.now() - start) / calls;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
