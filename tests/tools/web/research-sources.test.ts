import { expect, test } from "bun:test";
import { createResearchTool } from "../../../src/tools/web/research.ts";

test("createResearchTool() says behind a source what of its page nobody was shown, and how to get it", async () => {
  const first = { url: "https://a.example/", title: "A", missing: "Left out: 2 menus (48 links)" };
  const second = { url: "https://b.example/", title: "B" };
  const ask = async (sources: readonly (typeof second)[]) => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const research = { answerMd: "It is 42.", confidence: 1, sources, usage };
    const tool = createResearchTool(async () => ({ ok: true, research }));
    const result = await tool.run({ query: "q" }, new AbortController().signal, "call_1");
    return result.ok ? result.content : "";
  };
  const told = await ask([first, second]);
  expect(told).toContain("- A https://a.example/ (Left out: 2 menus (48 links))\n- B https://b.");
  expect(told).toContain('http_request with part = "navigation" or raw = true');
  expect(await ask([second])).not.toContain("eft out");
});
