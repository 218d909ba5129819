import { createTwoFilesPatch, applyPatch as peerApplyPatch } from "diff";
import { applyPatch } from "../src/patch/apply-patch.ts";
import { median } from "./median.ts";
import { editsTable } from "./patch-edits.ts";
import { boundsTable, growthTable } from "./patch-growth.ts";

interface Case {
  readonly name: string;
  readonly lineCount: number;
  readonly hunkCount: number;
  readonly rounds: number;
  /** Calls a round, so that a round is long compared with the clock's grain. */
  readonly calls: number;
}

const CASES: readonly Case[] = [
  { name: "1 kB, 1 hunk", lineCount: 20, hunkCount: 1, rounds: 60, calls: 500 },
  { name: "5,000 lines, 20 hunks", lineCount: 5000, hunkCount: 20, rounds: 40, calls: 5 },
  { name: "100,000 lines, 200 hunks", lineCount: 100_000, hunkCount: 200, rounds: 12, calls: 1 },
];

/** The patch engine compared with the `diff` package: clean patches, growth and bounds; medians of one run. */
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
    growthTable(),
    "",
    boundsTable(),
    "",
    editsTable(),
  ].join("\n");
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
