import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readHtml } from "../src/http/html-to-text/html-to-text.ts";
import { listFacts, listLost } from "../tests/http/page-facts.ts";
import { hostileTable } from "./html-hostile.ts";
import { type KindPage, loadKinds, type PageKind } from "./html-kinds.ts";
import { shareOfWords } from "./html-pages.ts";
import { loadPeers } from "./html-peers.ts";
import { HTML_TOOLS, type HtmlTool } from "./html-tools.ts";
import { median } from "./median.ts";

const ROUNDS = 3;
const CHUNK_BYTES = 16 * 1024;

/**
 * HTML to text compared in the same run over kinds of pages: facts and words kept, tokens, speed;
 * then the time to the first text, large and hostile pages. `folder` holds more kinds, see
 * `html-kinds.ts`; BENCH_PEERS names a folder with more peers in its `node_modules`.
 */
export async function benchHtml(folder?: string): Promise<string> {
  const kinds = await loadKinds(folder);
  const { peers, missing } = await loadPeers();
  const tools = [...HTML_TOOLS, ...peers];
  const parts: string[] = [];
  const all: Score[][] = [];
  for (const kind of kinds) {
    const scores = await scoreKind(kind, tools);
    all.push(scores);
    parts.push(renderKind(kind.name, kind.pages.length, scores));
  }
  const pages = kinds.flatMap((kind) => kind.pages);
  const sums = tools.map((tool, at) =>
    addUp(
      tool.name,
      all.flatMap((scores) => scores[at] ?? []),
    ),
  );
  return [
    "| kind, pages | tool | facts kept | words of the article | tokens a page | of html-to-text | MB/s |",
    "|---|---|---:|---:|---:|---:|---:|",
    ...parts,
    renderKind("all", pages.length, sums),
    "",
    ...(missing.length === 0 ? [] : [`Not there, and so not compared: ${missing.join(", ")}.`, ""]),
    await firstTextLine(pages),
    "",
    await hostileTable(),
  ].join("\n");
}

/** Of one tool on some pages, in sums. */
interface Score {
  readonly name: string;
  readonly facts: number;
  readonly lost: number;
  /** Shares of articles' words, and of how many articles. */
  readonly words: number;
  readonly articles: number;
  readonly tokens: number;
  readonly pages: number;
  readonly mb: number;
  readonly cpuMs: number;
  /** Pages that it threw at. */
  readonly failed: number;
}

async function scoreKind({ pages }: PageKind, tools: readonly HtmlTool[]): Promise<Score[]> {
  const facts = pages.map(({ html }) => listFacts(html));
  const scores: Score[] = [];
  for (const tool of tools) {
    const texts: string[] = [];
    let failed = 0;
    const cpuMs = await timeAll(tool, pages, (text) => {
      if (text === undefined) failed += 1;
      texts.push(text ?? "");
    });
    const lost = facts.map((each, at) => listLost(each, texts[at] ?? "").length);
    const shares = pages.flatMap(({ words }, at) => {
      return words === undefined ? [] : [shareOfWords(words, texts[at] ?? "")];
    });
    scores.push({
      name: tool.name,
      facts: sum(facts.map(({ length }) => length)),
      lost: sum(lost),
      words: sum(shares),
      articles: shares.length,
      tokens: sum(texts.map((text) => countTokens(text))),
      pages: pages.length,
      mb: sum(pages.map(({ html }) => html.length)) / 1_000_000,
      cpuMs,
      failed,
    });
  }
  return scores;
}

/** Processor time of a median round; `onText` gets the texts of the first. */
async function timeAll(
  { toText }: HtmlTool,
  pages: readonly KindPage[],
  onText: (text: string | undefined) => void,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = process.cpuUsage();
    for (const { html } of pages) {
      const text = await tryText(toText, html);
      if (round === 0) onText(text);
    }
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / 1000);
  }
  return median(times);
}

async function tryText(toText: HtmlTool["toText"], html: string): Promise<string | undefined> {
  try {
    return await toText(html);
  } catch {
    return undefined;
  }
}

function addUp(name: string, scores: readonly Score[]): Score {
  const of = (key: Exclude<keyof Score, "name">) => sum(scores.map((score) => score[key]));
  return {
    name,
    facts: of("facts"),
    lost: of("lost"),
    words: of("words"),
    articles: of("articles"),
    tokens: of("tokens"),
    pages: of("pages"),
    mb: of("mb"),
    cpuMs: of("cpuMs"),
    failed: of("failed"),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function renderKind(kind: string, pages: number, scores: readonly Score[]): string {
  const peerTokens = scores.find(({ name }) => name === "html-to-text")?.tokens ?? Number.NaN;
  return scores
    .map((score) => {
      const cells = [
        `${kind}, ${pages}`,
        score.name + (score.failed === 0 ? "" : ` (fails at ${score.failed})`),
        `${(100 - (100 * score.lost) / score.facts).toFixed(2)} %`,
        score.articles === 0 ? "" : (score.words / score.articles).toFixed(4),
        (score.tokens / score.pages).toFixed(0),
        `${((100 * score.tokens) / peerTokens).toFixed(1)} %`,
        ((1000 * score.mb) / score.cpuMs).toFixed(0),
      ];
      return `| ${cells.join(" | ")} |`;
    })
    .join("\n");
}

/** From the first bytes to the first text, when the bytes come as fast as they are taken. */
async function firstTextLine(pages: readonly KindPage[]): Promise<string> {
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
