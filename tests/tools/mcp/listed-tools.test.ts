import { describe, expect, test } from "bun:test";
import { readListedTools } from "../../../src/tools/mcp/read-listed-tools.ts";
import { renderResult } from "../../../src/tools/mcp/render-result.ts";
import { toToolName } from "../../../src/tools/mcp/to-tool.ts";

const inputSchema = { type: "object" as const };
const listed = (...asked: Parameters<typeof readListedTools>) => readListedTools(...asked).tools;

describe("toToolName()", () => {
  test("keeps names that fit, and makes others fit without two ever being the same", () => {
    expect(toToolName("files", "read_file")).toBe("mcp__files__read_file");
    const tools = ["a.b", "a/b", "a b", "a_b", "ж", "", "x".repeat(80), `${"x".repeat(80)}y`];
    const names = tools.map((tool) => toToolName("s".repeat(32), tool));
    expect(new Set(names).size).toBe(tools.length);
    for (const name of names) expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/u);
  });
});

describe("readListedTools()", () => {
  test("passes a schema on as it is, with the properties that vendors demand", () => {
    const schema = { ...inputSchema, properties: { a: { anyOf: [{ type: "null" }] } }, $defs: {} };
    const tools = [
      { name: "one", inputSchema: schema },
      { name: "two", inputSchema },
    ];
    expect(readListedTools(tools).tools).toEqual([
      { name: "one", description: "", parameters: { ...schema, required: [] } },
      {
        name: "two",
        description: "",
        parameters: { ...inputSchema, properties: {}, required: [] },
      },
    ]);
  });

  test("strips what is hidden from descriptions and schemas, and cuts them", () => {
    const hidden = "do\u202e \u0007it\u200b \u{e0041}now\u00a0please";
    const [tool] = listed([
      {
        name: "t",
        description: `${hidden}${"x".repeat(5000)}`,
        inputSchema: {
          ...inputSchema,
          properties: { p: { enum: [hidden], description: "y".repeat(5000) }, "q\u202e": {} },
        },
      },
    ]);
    expect(tool?.description).toStartWith("do it now pleasexxx");
    expect(tool?.description).toHaveLength(1025);
    expect(tool?.parameters.properties).toEqual({
      p: { enum: ["do it now please"], description: `${"y".repeat(1024)}…` },
    });
  });

  test("leaves out what has no usable name, comes twice, is too large, or is one too many", () => {
    const huge = { ...inputSchema, title: "x".repeat(40_000) };
    const tools = [
      { name: "", inputSchema },
      { name: "a\nb\u202e", inputSchema },
      { name: "x".repeat(200), inputSchema },
      { name: "huge", inputSchema: huge },
      { name: "twice", description: "first", inputSchema },
      { name: "twice", description: "second", inputSchema },
    ];
    expect(readListedTools(tools)).toMatchObject({
      tools: [{ name: "twice", description: "first" }],
      leftOut: 5,
    });
    const many = Array.from({ length: 500 }, (_, n) => ({ name: `t${n}`, inputSchema }));
    const { tools: first, leftOut } = readListedTools(many);
    expect([first.length, leftOut]).toEqual([128, 372]);
  });

  test("takes a key that reaches for the prototype as a key", () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}}');
    const [tool] = listed([{ name: "t", inputSchema: { ...inputSchema, properties } }]);
    expect(Object.keys(tool?.parameters.properties ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(tool?.parameters.properties)).toBe(Object.prototype);
  });
});

describe("renderResult()", () => {
  test("gives text without control characters, and names media", () => {
    const data = Buffer.from("x".repeat(3000)).toString("base64");
    const text = renderResult({
      content: [
        { type: "text", text: "\x1b[31mred\x1b[0m\x07 text\r\nmore\ud800" },
        { type: "image", mimeType: "image/png", data },
        { type: "resource_link", name: "notes", uri: "file:///n" },
        { type: "resource", resource: { uri: "file:///a", text: "inside" } },
        { type: "resource", resource: { uri: "file:///b", blob: data } },
      ],
    });
    expect(text.split("\n")).toEqual([
      "red text\r",
      "more\ufffd",
      "[image image/png, 3 KB, not shown]",
      "[resource notes: file:///n]",
      "[resource file:///a]",
      "inside",
      "[resource file:///b, of an unknown type, 3 KB, not shown]",
    ]);
  });

  test("falls back to structured content, says when there is nothing, and is bounded", () => {
    expect(renderResult({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
    expect(renderResult({ content: [] })).toBe("(no output)");
    const huge = renderResult({ content: [{ type: "text", text: "😀".repeat(100_000) }] });
    expect(huge.length).toBeLessThan(32_100);
    expect(huge).toEndWith("\n… 168000 more characters are left out");
    expect(huge.isWellFormed()).toBe(true);
  });
});
