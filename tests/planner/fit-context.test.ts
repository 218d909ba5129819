import { describe, expect, test } from "bun:test";
import type { Block } from "../../src/planner/block.ts";
import { fitContext } from "../../src/planner/fit-context.ts";

const limits = { maxFiles: 3, maxFileChars: 10_000, maxTotalChars: 20_000, maxLogChars: 1000 };

function block(kind: Block["kind"], name: string, priority: number, chars: number): Block {
  return { kind, priority, header: `${kind}[${name}]`, body: "x".repeat(chars), path: name };
}

const names = (blocks: readonly Block[]) => blocks.map(({ header }) => header);

describe("fitContext()", () => {
  test("leaves everything alone that is within the limits", () => {
    const blocks = [block("env", "e", 0, 10), block("file", "a", 1, 100)];
    expect(fitContext(blocks, limits).blocks).toEqual(blocks);
  });

  test("drops the files of lowest priority when there are too many", () => {
    const blocks = ["a", "b", "c", "d"].map((name, i) => block("file", name, 3 - i, 10));
    const { blocks: kept, stats } = fitContext(blocks, limits);
    expect(names(kept)).toEqual(["file[b]", "file[c]", "file[d]"]);
    expect(stats.context_files_dropped_count).toBe(1);
  });

  test("over the total drops search first, then logs, then files of low priority", () => {
    const search = block("search", "s", 1, 4000);
    const logs = block("logs", "l", 1, 900);
    const low = block("file", "low", 2, 9000);
    const high = block("file", "high", 0, 9000);
    const withoutSearch = fitContext([search, logs, low, high], limits);
    expect(names(withoutSearch.blocks)).toEqual(["logs[l]", "file[low]", "file[high]"]);
    const tighter = fitContext([search, logs, low, high], { ...limits, maxTotalChars: 10_000 });
    expect(names(tighter.blocks)).toEqual(["file[high]"]);
  });

  test("cuts a file of priority 0 to no less than 4,000 characters", () => {
    const { blocks, stats } = fitContext([block("file", "a", 0, 9000)], {
      ...limits,
      maxTotalChars: 100,
    });
    expect(blocks[0]?.body.length).toBe(4000);
    expect(stats.context_truncated_files_count).toBe(1);
  });
});
