import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { convertTuned } from "./html-tools.ts";

/** A page and the words of its article. */
export interface SamplePage {
  readonly html: string;
  readonly words: readonly string[];
}

interface IndexEntry {
  readonly file: string;
  /** The article as text. */
  readonly gt?: string;
  /** The article as HTML. */
  readonly gt_html?: string;
}

/**
 * The pages of a folder, gzip files that its `index.jsonl` names with `file` and `gt` or
 * `gt_html`; without a folder, pages that are made up.
 */
export async function loadPages(folder: string | undefined): Promise<readonly SamplePage[]> {
  if (folder === undefined) return Array.from({ length: 40 }, (_, n) => makePage(n));
  const index = await Bun.file(join(folder, "index.jsonl")).text();
  const entries = index.trim().split("\n");
  return Promise.all(
    entries.map((line) => {
      const entry: IndexEntry = JSON.parse(line);
      return loadPage(folder, entry);
    }),
  );
}

async function loadPage(folder: string, entry: IndexEntry): Promise<SamplePage> {
  const truth = await unzip(folder, entry.gt ?? entry.gt_html ?? "");
  return {
    html: await unzip(folder, entry.file),
    words: toWords(entry.gt === undefined ? convertTuned(truth) : truth),
  };
}

async function unzip(folder: string, file: string): Promise<string> {
  return new TextDecoder().decode(gunzipSync(await Bun.file(join(folder, file)).bytes()));
}

/** Words in lower case; scripts without spaces give a word for each character. */
export function toWords(text: string): readonly string[] {
  const word = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;
  return text.toLowerCase().match(word) ?? [];
}

/** Which share of the words is in a text, each as often as it has to. */
export function shareOfWords(words: readonly string[], text: string): number {
  const left = new Map<string, number>();
  for (const word of toWords(text)) left.set(word, (left.get(word) ?? 0) + 1);
  const found = words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return words.length === 0 ? 1 : found.length / words.length;
}

/** A page as sites make them: menus, an article, more to read, a footer. */
function makePage(n: number): SamplePage {
  const article = makeArticle(n, 8 + (n % 5) * 6);
  const menu = (name: string, count: number) =>
    Array.from(
      { length: count },
      (_, i) => `<li><a href="/${name}/${n}-${i}">${name} ${i}</a></li>`,
    ).join("");
  const html = `<!doctype html><html><head><title>Page ${n}</title>
    <link rel="canonical" href="https://site.example/page/${n}">
    <style>${".a-rule { color: red }\n".repeat(200)}</style></head><body>
    <header><nav class="top"><ul>${menu("Section", 40)}</ul></nav></header>
    <main><article>${article}</article><div class="more"><h2>More to read</h2>
    <ul>${menu("Story", 25)}</ul></div></main><script>${"call(1 < 2);\n".repeat(2000)}</script>
    <footer><ul>${menu("Service", 30)}</ul><p>All rights reserved.</p></footer></body></html>`;
  const text = article.replace(/<[^>]*>/gu, " ");
  return { html, words: toWords(text) };
}

/** Of `count` paragraphs, with a list, a table and links. */
export function makeArticle(n: number, count: number): string {
  const sentence = `Sentence of article ${n}, with <a href="/note/${n}">a note</a> and <b>a stress</b>. `;
  const paragraphs = Array.from({ length: count }, (_, i) => {
    return `<p class="paragraph" id="p${i}">${sentence.repeat(4)}</p>`;
  });
  return `<h1>Heading ${n}</h1>${paragraphs.join("\n")}<ul><li>one thing<li>another thing</ul>
    <table><tr><th>year<th>sum<tr><td>2026<td>${n}</table>`;
}
