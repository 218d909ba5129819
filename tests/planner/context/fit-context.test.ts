import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Block, frameChars, renderBlocks } from "../../../src/planner/context/block.ts";
import {
  addStats,
  charsInWindow,
  fitContext,
  toMaxFiles,
} from "../../../src/planner/context/fit-context.ts";
import { renderOnlineBlock } from "../../../src/planner/context/online-block.ts";
import { silentLog } from "../../support/silent-log.ts";

const SCREENING = { check: "warn", log: silentLog } as const;

const limits = { maxFiles: 3, maxFileChars: 10_000, maxTotalChars: 20_000, maxLogChars: 1000 };

function block(kind: Block["kind"], name: string, priority: number, chars: number): Block {
  return { kind, priority, header: `${kind}[${name}]`, body: "x".repeat(chars), path: name };
}

function online(chars: number): Block {
  const sources = [{ url: "https://a.example/b", title: "B" }];
  const found = { answerMd: "y".repeat(chars), sources };
  return renderOnlineBlock(found, { maxChars: 100_000, maxSources: 10 }).block;
}

const names = (blocks: readonly Block[]) => blocks.map(({ header }) => header);

/** Each row: a total, and what of the context below is left under it. */
const ALL = [
  block("env", "e", 0, 100),
  block("tree", "t", 0, 100),
  block("file", "named", 0, 9000),
  block("file", "manifest", 2, 2000),
  block("file", "recent", 3, 2000),
  block("search", "s1", 1, 2000),
  block("search", "s2", 1, 2000),
  block("logs", "l", 2, 900),
  online(2000),
];
const ROWS: readonly (readonly [number, string, string])[] = [
  [30_000, "everything", "env tree named manifest recent s1 s2 l online"],
  [20_700, "online whole", "env tree named manifest recent s1 s2 l online"],
  [19_200, "online shrunk", "env tree named manifest recent s1 s2 l online:cut"],
  [18_500, "no online", "env tree named manifest recent s1 s2 l"],
  [18_000, "the last search gone", "env tree named manifest recent s1 l"],
  [16_000, "no search", "env tree named manifest recent l"],
  [14_000, "no logs", "env tree named manifest recent"],
  [12_000, "no recent file", "env tree named manifest"],
  [10_000, "no manifest", "env tree named"],
  [6000, "the named file cut", "env tree named:cut"],
  [100, "the named file at its minimum", "env tree named:cut"],
];

test.each([
  [0, 120_000, 30],
  [0, 4000, 1],
  [0, 4_000_000, 1000],
  [3, 120_000, 3],
  [200, 4000, 200],
])("toMaxFiles(%i, %i) is %i", (maxFiles, maxTotalChars, expected) => {
  expect(toMaxFiles(maxFiles, maxTotalChars)).toBe(expected);
});

test.each([
  ["a small one", 8192, undefined, 10_932],
  ["one with a long answer", 8192, 4096, 4788],
  ["one that has no room for any", 4096, 4096, 4000],
  ["a usual one", 128_000, undefined, 328_500],
  ["a large one", 1_000_000, 32_000, 2_896_500],
])("charsInWindow() of %s is what prompt and answer leave", (_, window, answer, expected) => {
  expect(charsInWindow(window, answer)).toBe(expected);
});

describe("fitContext()", () => {
  test("leaves everything alone that is within the limits", () => {
    const blocks = [block("env", "e", 0, 10), block("file", "a", 1, 100)];
    expect(fitContext(blocks, limits).blocks).toEqual(blocks);
  });

  test.each(ROWS)("leaves under a total of %d: %s", (maxTotalChars, _, expected) => {
    const { blocks, stats } = fitContext(ALL, { ...limits, maxTotalChars });
    const left = blocks.map((each) => {
      const name = /\[(\w+)\]/.exec(each.header)?.[1] ?? "online";
      const shown = each.kind === "env" || each.kind === "tree" ? each.kind : name;
      return ALL.includes(each) ? shown : `${shown}:cut`;
    });
    expect(left.join(" ")).toBe(expected);
    const sent = renderBlocks(blocks, SCREENING).length;
    if (maxTotalChars > 5000) expect(sent).toBeLessThanOrEqual(maxTotalChars);
    expect(stats.context_total_chars).toBeGreaterThanOrEqual(sent);
    expect(stats.context_files_count + stats.context_files_dropped_count).toBe(3);
    expect(stats.context_truncated_files_count).toBe(expected.includes("named:cut") ? 1 : 0);
    expect(stats.context_logs_chars > 0).toBe(expected.includes(" l"));
  });

  test("drops the files of lowest priority when there are too many", () => {
    const blocks = ["a", "b", "c", "d"].map((name, i) => block("file", name, 3 - i, 10));
    const { blocks: kept, stats } = fitContext(blocks, limits);
    expect(names(kept)).toEqual(["file[b]", "file[c]", "file[d]"]);
    expect(stats.context_files_dropped_count).toBe(1);
  });

  test("cuts a file to its own limit, and all logs together to theirs", () => {
    const blocks = [block("file", "a", 0, 15_000), block("logs", "l", 2, 300)];
    const { blocks: kept, stats } = fitContext([...blocks, block("logs", "m", 2, 5000)], limits);
    expect(kept.map(({ body }) => body.length <= 10_000)).toEqual([true, true, true]);
    expect(kept[1]?.body.length).toBe(300);
    expect(kept[2]?.body.length).toBeWithin(600, 701);
    expect(stats).toMatchObject({ context_truncated_files_count: 1 });
  });

  test("drops what research found when less than 512 characters are left for it", () => {
    const rest = block("file", "a", 0, 9000);
    const beside = "ONLINE_RESEARCH_SUMMARY:".length + frameChars(online(2000)) + 5;
    const used = renderBlocks([rest], SCREENING).length + beside;
    for (const [left, isKept] of [
      [511, false],
      [512, true],
    ] as const) {
      const { blocks } = fitContext([rest, online(2000)], {
        ...limits,
        maxTotalChars: used + left,
      });
      expect(blocks).toHaveLength(isKept ? 2 : 1);
      if (isKept) expect(blocks[1]?.body).toEndWith("ONLINE_SOURCES:\n1. https://a.example/b B");
    }
  });

  test("never cuts a header, and keeps 4,000 characters of many files over a total of 0", () => {
    const header = `FILE[${"a".repeat(240)}] (sha256=${"f".repeat(64)}):`;
    const files = Array.from({ length: 3 }, (_, i) => ({
      ...block("file", `${i}`, 0, 9000),
      header,
    }));
    const { blocks } = fitContext(files, { ...limits, maxTotalChars: 0 });
    expect(blocks).toHaveLength(3);
    for (const { header: kept, body } of blocks) {
      expect(kept).toBe(header);
      expect(body.match(/x/g)?.length).toBeWithin(4000, 4101);
    }
  });

  test("cuts the longest files first, so that a short one stays whole", () => {
    const short = block("file", "b", 0, 5000);
    const files = [block("file", "a", 0, 9000), short, block("file", "c", 0, 9000)];
    const { blocks } = fitContext(files, { ...limits, maxTotalChars: 19_200 });
    expect(blocks[1]).toBe(short);
    expect(blocks[0]?.body.length).toBe(blocks[2]?.body.length ?? 0);
  });

  test("keeps the total, the number of files and the minimum of named files, whatever comes", () => {
    const kinds = fc.constantFrom<Block["kind"]>("env", "tree", "file", "search", "logs", "note");
    const one = fc.record({
      kind: kinds,
      priority: fc.nat(3),
      header: fc.constant("h"),
      body: fc.nat(12_000).map((chars) => "x".repeat(chars)),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), fc.nat(40_000), (blocks, maxTotalChars) => {
        const given = blocks.map((each) => (each.kind === "note" ? { ...each, body: "" } : each));
        const { blocks: kept, stats } = fitContext(given, { ...limits, maxTotalChars });
        const files = kept.filter(({ kind }) => kind === "file");
        expect(files.length).toBeLessThanOrEqual(limits.maxFiles);
        const isFixed = ({ kind }: Block) => kind === "env" || kind === "note" || kind === "tree";
        const minimum = kept.reduce(
          (sum, each) =>
            sum +
            (isFixed(each) ? each.body.length : Math.min(each.body.length, 4100)) +
            frameChars(each) +
            4,
          0,
        );
        expect(stats.context_total_chars).toBeLessThanOrEqual(Math.max(maxTotalChars, minimum));
        for (const { priority, body } of files) {
          if (priority === 0 && body.includes("left out"))
            expect(body.length).toBeGreaterThan(4000);
        }
      }),
    );
  });
});

describe("addStats()", () => {
  test("adds every figure", () => {
    const { stats } = fitContext(ALL, limits);
    expect(addStats(stats, fitContext([], limits).stats)).toEqual(stats);
    expect(addStats(stats, stats).context_files_count).toBe(6);
  });
});
