import { join } from "node:path";
import { tempDir } from "../tests/support/temp.ts";
import { makeArticle } from "./html-pages.ts";
import { HTML_TOOLS } from "./html-tools.ts";

/** Of the clock, on a machine that may have other things to do. */
const TIMEOUT_MS = 60_000;
const MB = 1_000_000;

const repeat = (piece: string, count = 100_000) => piece.repeat(count);

/** Large pages, and pages made to break their readers. */
const DOCUMENTS: readonly { readonly name: string; readonly html: () => string }[] = [
  ...[1, 10, 20].map((mb) => ({ name: `article of ${mb} MB`, html: () => makeLargePage(mb * MB) })),
  { name: "100,000 nested elements", html: () => `${repeat("<div>")}x${repeat("</div>")}` },
  { name: "100,000 links that nobody closed", html: () => repeat("<a href=x><b>y") },
  { name: "100,000 nested tables", html: () => repeat("<table><tr><td>x") },
  { name: "100,000 asides that nobody closed", html: () => repeat("<aside><p>x") },
  { name: "100,000 menus that nobody closed", html: () => repeat("<nav><a href=x>y</a>") },
  { name: "100,000 options", html: () => `<select>${repeat("<option>x")}` },
  { name: "1,000,000 line breaks", html: () => repeat("<br>x", MB) },
  { name: "100,000 nested lists", html: () => repeat("<ul><li>x") },
  { name: "1 MB of <", html: () => repeat("<", MB) },
  { name: "1 MB of <a", html: () => repeat("<a", MB / 2) },
  { name: "an attribute of 10 MB", html: () => `<p style="${repeat("x", 10 * MB)}">x` },
  {
    name: "100,000 attributes",
    html: () => `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>x`,
  },
  { name: "a table of 100,000 rows", html: () => `<table>${repeat("<tr><td>1<td>2")}</table>` },
];

function makeLargePage(sizeBytes: number): string {
  const article = makeArticle(1, 100);
  return repeat(article, Math.ceil(sizeBytes / article.length));
}

/** Time and peak memory of a whole process for each document and tool. */
export async function hostileTable(): Promise<string> {
  using dir = tempDir("papayu-bench-html-");
  const rows: string[] = [];
  for (const [at, { name, html }] of DOCUMENTS.entries()) {
    const file = join(dir.path, `${at}.html`);
    await Bun.write(file, html());
    const cells = HTML_TOOLS.map((tool) => measure(file, tool.name));
    rows.push(`| ${name} | ${cells.join(" | ")} |`);
  }
  return [
    "Each in a process of its own: processor time with start, peak memory.",
    "",
    `| document | ${HTML_TOOLS.map(({ name }) => name).join(" | ")} |`,
    `|---|${HTML_TOOLS.map(() => "---:|").join("")}`,
    ...rows,
  ].join("\n");
}

function measure(file: string, tool: string): string {
  const child = join(import.meta.dir, "html-child.ts");
  const { exitCode, exitedDueToTimeout, stdout, resourceUsage } = Bun.spawnSync(
    [process.execPath, child, file, tool],
    { stdout: "pipe", stderr: "ignore", timeout: TIMEOUT_MS },
  );
  const seconds = (Number(resourceUsage.cpuTime.total) / 1_000_000).toFixed(2);
  const mb = (Number(stdout.toString()) / 1024).toFixed(0);
  if (exitedDueToTimeout) return `over ${seconds} s`;
  return exitCode === 0 ? `${seconds} s, ${mb} MB` : `fails after ${seconds} s`;
}
