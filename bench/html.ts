import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { htmlToText, readHtml } from "../src/http/html-to-text/html-to-text.ts";
import { hostileTable } from "./html-hostile.ts";
import { loadPages, type SamplePage, shareOfWords } from "./html-pages.ts";
import { HTML_TOOLS, type HtmlTool } from "./html-tools.ts";
import { median } from "./median.ts";

const ROUNDS = 7;
const CHUNK_BYTES = 16 * 1024;

/**
 * HTML to text compared with html-to-text in the same run: tokens, words kept, speed, time to the first
 * text, large and hostile pages. `folder` holds pages with the text of their articles.
 */
export async function benchHtml(folder?: string): Promise<string> {
  const pages = await loadPages(folder);
  return [
    `${pages.length} pages ${folder === undefined ? "that are made up" : `of ${folder}`}`,
    "",
    await qualityTable(pages),
    "",
    await speedTable(pages),
    "",
    await firstTextLine(pages),
    "",
    await hostileTable(),
  ].join("\n");
}

async function qualityTable(pages: readonly SamplePage[]): Promise<string> {
  const heldOut = pages.filter((page) => page.isHeldOut);
  const parts = [
    { name: "all", pages },
    { name: "tuned on", pages: pages.filter((page) => !page.isHeldOut) },
    { name: "held out", pages: heldOut },
  ].slice(0, heldOut.length === 0 ? 1 : 3);
  const rows: string[] = [];
  for (const part of parts) {
    const results = await Promise.all(HTML_TOOLS.map((tool) => judge(tool, part.pages)));
    const peerTokens = results[1]?.tokens ?? Number.NaN;
    for (const { name, tokens, words } of results) {
      const saved = (100 * (1 - tokens / peerTokens)).toFixed(1);
      rows.push(
        `| ${part.name}, ${part.pages.length} | ${name} | ${tokens.toFixed(0)} | ${saved} % | ${words.toFixed(4)} |`,
      );
    }
  }
  return [
    "| pages | tool | tokens a page | fewer than html-to-text | words kept |",
    "|---|---|---:|---:|---:|",
    ...rows,
  ].join("\n");
}

async function judge(
  { name, toText }: HtmlTool,
  pages: readonly SamplePage[],
): Promise<{ name: string; tokens: number; words: number }> {
  let [tokens, words] = [0, 0];
  for (const page of pages) {
    const text = await toText(page.html);
    tokens += countTokens(text);
    words += shareOfWords(page.words, text);
  }
  return { name, tokens: tokens / pages.length, words: words / pages.length };
}

async function speedTable(pages: readonly SamplePage[]): Promise<string> {
  const mb = pages.reduce((sum, { html }) => sum + html.length, 0) / 1_000_000;
  const streamed: HtmlTool = {
    name: "papa-yu, from bytes",
    toText: (html) => htmlToText(toChunks(Buffer.from(html))),
  };
  const tools = [...HTML_TOOLS, streamed];
  const times = tools.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { toText }] of tools.entries()) {
      const startedAt = performance.now();
      for (const { html } of pages) await toText(html);
      times[at]?.push(performance.now() - startedAt);
    }
  }
  const medians = times.map(median);
  const rows = tools.map(({ name }, at) => {
    const ms = medians[at] ?? Number.NaN;
    const ratio = ((medians[1] ?? Number.NaN) / ms).toFixed(2);
    return `| ${name} | ${((1000 * mb) / ms).toFixed(0)} | ${ratio} |`;
  });
  return ["| tool | MB/s | times html-to-text |", "|---|---:|---:|", ...rows].join("\n");
}

/** From the first bytes to the first text, when the bytes come as fast as they are taken. */
async function firstTextLine(pages: readonly SamplePage[]): Promise<string> {
  const times: number[] = [];
  for (const { html } of pages) {
    let firstMs = 0;
    const startedAt = performance.now();
    const onText = () => {
      firstMs ||= performance.now() - startedAt;
    };
    await readHtml(toChunks(Buffer.from(html)), { onText });
    if (firstMs > 0) times.push(firstMs);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [p95 = 0, last = 0] = [sorted[Math.floor(sorted.length * 0.95)], sorted.at(-1)];
  const figures = [median(times), p95, last].map((ms) => ms.toFixed(1)).join(", ");
  return `First text after the first bytes, ms at the median, the 95th percentile and at most: ${figures}`;
}

async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
