import { expect, test } from "bun:test";
import { readListedTools } from "../../../src/tools/mcp/read-listed-tools.ts";
import { renderResult } from "../../../src/tools/mcp/render-result.ts";

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

test("a tool whose schema is nested beyond all reading is left out, the others stay", () => {
  const object = { type: "object" as const };
  const { tools, leftOut } = readListedTools([
    { name: "deep", inputSchema: { ...object, properties: { a: nested(100_000) } } },
    { name: "plain", inputSchema: object },
  ]);
  expect(tools.map(({ name }) => name)).toEqual(["plain"]);
  expect(leftOut).toBe(1);
});

test("a result that is nested beyond all reading is named, not written", () => {
  expect(renderResult({ content: [], structuredContent: nested(100_000) })).toBe(
    "[structured content, nested too deep, not shown]",
  );
  expect(renderResult({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
});
