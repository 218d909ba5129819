import { createPatch, applyPatch as peerApplyPatch } from "diff";
import { applyEdits, type Edit } from "../src/patch/edits/edits.ts";

const EDITS = 1000;
const FUNCTION_LINES = 14;
const FUNCTIONS = 7000;

/** 1,000 anchored edits of 5 MB, beside the same change as one patch of the `diff` package. */
export function editsTable(): string {
  const lines = fileOf();
  const source = `${lines.join("\n")}\n`;
  const rows = Object.entries(lists(lines)).map(([name, edits]) => {
    Bun.gc(true);
    const rss = process.memoryUsage().rss;
    const [result, oursMs] = timed(() => applyEdits(source, edits));
    const more = (process.memoryUsage().rss - rss) / 1e6;
    if (!result.ok) throw new Error(result.message);
    const patch = createPatch("file", source, result.text, "", "", { maxEditLength: 20_000 });
    const peerMs = patch === undefined ? undefined : timed(() => peerApplyPatch(source, patch))[1];
    const peer = peerMs === undefined ? "\u2013" : peerMs.toFixed(0);
    return `| ${name} | ${oursMs.toFixed(0)} | ${more.toFixed(0)} | ${peer} |`;
  });
  const head = [
    "1,000 edits in 5 MB",
    "applyEdits ms",
    "more memory, MB",
    "diff package, as one patch, ms",
  ];
  return [`| ${head.join(" | ")} |`, "|---|---|---|---|", ...rows].join("\n");
}

function fileOf(): readonly string[] {
  return Array.from({ length: FUNCTIONS }, (_, f) => [
    `function name${f}(list) {`,
    ...Array.from(
      { length: FUNCTION_LINES - 4 },
      (_line, i) => `  const value${f}x${i} = compute(${i % 7}, "some text of a line");`,
    ),
    "  return total;",
    "}",
    "",
  ]).flat();
}

/** Lists of edits by what is wrong in them. */
function lists(lines: readonly string[]): Readonly<Record<string, readonly Edit[]>> {
  const make = (toEdit: (line: string, i: number) => Omit<Edit, "op">) =>
    Array.from({ length: EDITS }, (_, i): Edit => {
      const line = lines[Math.floor((i * FUNCTIONS) / EDITS) * FUNCTION_LINES + 3] ?? "";
      return { op: "replace", ...toEdit(line, i) };
    });
  const other = (line: string) => ({ before: line, after: line.replace("compute", "other") });
  const alike = (text: string, to: (text: string) => string) => ({
    before: to(text),
    after: to(text.replace("compute", "other")),
  });
  return {
    "anchors that are there once": make((line) => ({ anchor: line, ...other(line) })),
    "the 1st to 900th of an anchor": make((_, i) => ({
      anchor: "return total;",
      before: "return total;",
      after: `return total + ${i};`,
      occurrence: 1 + (i % 900),
    })),
    "anchors of one to three signs": make((_, i) => {
      const anchor = ["}", "= ", ");"][i % 3] ?? "}";
      return { anchor, before: anchor, after: `${anchor} `, occurrence: 1 + (i % 900) };
    }),
    "anchors cut off in a word": make((line) => ({ anchor: line.slice(0, -5), ...other(line) })),
    "anchors with other blanks": make((line) => ({
      anchor: line.replace(" = ", "="),
      ...other(line),
    })),
    "other blanks in what is replaced": make((line) => ({
      anchor: line,
      ...alike(line, (text) => text.replace(" = ", "=")),
    })),
    "look-alikes in anchor and text": make((line) => {
      const { before, after } = alike(line, (text) => text.replaceAll('"', "'"));
      return { anchor: before, before, after };
    }),
    "a piece of a line with other blanks": make((line) => {
      const piece = line.slice(line.indexOf("value"), -2);
      return { anchor: line, ...alike(piece, (text) => text.replace(" = ", "=")) };
    }),
    "tabs for the blanks of the file": make((line) => {
      const { before, after } = alike(`${line}\n`, (text) => text.replace("  ", "\t"));
      return { anchor: before.trim(), before, after };
    }),
  };
}

function timed<T>(run: () => T): readonly [T, number] {
  const start = performance.now();
  const result = run();
  return [result, performance.now() - start];
}
