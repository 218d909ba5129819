import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createSandbox, type Sandbox } from "../tests/e2e/papayu.ts";
import { openBrowser } from "../tests/support/browser.ts";
import { startModelServer } from "../tests/support/model-server.ts";
import { until } from "../tests/support/patience.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";
import { measureTree } from "./process-tree.ts";

/** New files and the lines of each: what a person reads, and the most files that a plan may have. */
const SETS = [
  { files: 60, lines: 83 },
  { files: 200, lines: 150 },
] as const;
const RUNS = Number(process.env["RUNS"] ?? 5);
const WINDOWS = 10;
const EVENTS = 200;
/** At so many frames a screen each, a person who holds a key down. */
const SCROLLS = 200;
const LONG_FRAME_MS = 50;

/**
 * The web console of a real daemon in a real browser: from `papayu open` to an inbox that can be used
 * and to a change set that can be read, what it weighs, and what the daemon takes for it. Times are
 * of one machine; the spec's figures stand beside them.
 */
export async function benchConsole(): Promise<string> {
  await using browser = await openBrowser();
  const rows = ["| figure | measured | goal |", "|---|---:|---:|"];
  const row = (name: string, value: string, goal = "") =>
    rows.push(`| ${name} | ${value} | ${goal} |`);
  await using scene = await openScene();
  const { sandbox, pid } = scene;
  const before = measureTree(pid).rssMb;
  row("daemon, page never opened", `${before.toFixed(0)} MB`);
  const opened: { ms: number; bytes: number }[] = [];
  for (let run = 0; run < RUNS; run++) opened.push(await openInbox(browser, sandbox));
  row("address → usable inbox, median", `${median(opened.map(({ ms }) => ms)).toFixed(0)} ms`);
  row(
    "first page, compressed",
    `${(Math.max(...opened.map(({ bytes }) => bytes)) / 1000).toFixed(1)} kB`,
    "120 kB",
  );
  for (const { files, lines } of SETS) {
    await scene.ask(`plan: write ${files} files of ${lines} lines`);
    const found: Shown[] = [];
    for (let run = 0; run < RUNS; run++) found.push(await openReview(browser, sandbox));
    const name = `${files} files, ${(files * lines).toLocaleString("en")} lines`;
    const of = (key: keyof Shown) => median(found.map((each) => each[key]));
    row(`${name}: press → first file`, `${of("firstMs").toFixed(0)} ms`, "350 ms");
    row("its main thread until then", `${of("threadMs").toFixed(0)} ms`, "300 ms");
    row("nodes, at most while scrolling", of("nodes").toFixed(0), "3,000");
    row(
      `frames over ${LONG_FRAME_MS} ms while scrolling`,
      `${of("longShare").toFixed(1)} %`,
      "1 %",
    );
  }
  row(`events a second to one listener (${EVENTS} plans)`, (await countEvents(scene)).toFixed(0));
  const windows: Page[] = [];
  for (let each = 0; each < WINDOWS; each++) windows.push(await enter(browser, sandbox));
  await Bun.sleep(5000);
  row(`daemon, ${WINDOWS} windows open`, `${measureTree(pid).rssMb.toFixed(0)} MB`);
  for (const page of windows) await page.context().close();
  return rows.join("\n");
}

interface Scene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly pid: number;
  /** Says it over the local API, and waits for the answer. */
  ask(message: string): Promise<string>;
  readonly root: string;
  readonly bearer: Readonly<Record<string, string>>;
}

/** A daemon whose model writes as many files as it is asked for. */
async function openScene(): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(tempDir("papayu-bench-"));
  mkdirSync(join(dir.path, "notes"));
  const model = cleanup.use(
    startModelServer(({ body }) => {
      const said = body.messages.map(({ content }) => String(content)).join("\n");
      const [, files = "1", lines = "1"] = /write (\d+) files of (\d+) lines/u.exec(said) ?? [];
      const isApply = said.includes("Now APPLY");
      const actions = Array.from({ length: isApply ? Number(files) : 0 }, (_, n) => ({
        kind: "CREATE_FILE",
        path: `src/part${n % 20}/file${n}.ts`,
        content: contentOf(n, Number(lines)),
      }));
      return {
        kind: "text",
        text: JSON.stringify({ actions, summary: "1. Write files" }),
        chunkChars: 65_536,
      };
    }),
  );
  const sandbox = createSandbox(
    dir.path,
    `[default]
provider = "local"
[providers.local]
base_url = "${model.url}"
model = "bench"
[http]
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
check = false
max_actions = 200
`,
  );
  const daemon = cleanup.use(await sandbox.start());
  const address = (await sandbox.process("open", "--print")).stdout.trim();
  const root = `http://127.0.0.1:${new URL(address).port}`;
  const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
  const bearer = { authorization: `Bearer ${token}` };
  const resources = cleanup.move();
  return {
    sandbox,
    pid: daemon.pid,
    root,
    bearer,
    async ask(message) {
      const say = async (said: string) => {
        const body = JSON.stringify({ message: said, session_id: "bench" });
        return (await fetch(`${root}/api/chat`, { method: "POST", headers: bearer, body })).text();
      };
      const plan = await say(message);
      return plan + (await say("ok"));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Lines as code has them, none like another. */
function contentOf(file: number, lines: number): string {
  const line = (n: number) =>
    `export const value${n} = compute(${file}, "${n}") ?? { of: [${n}, ${n + file}] }; // part ${n % 7}`;
  return `${Array.from({ length: lines }, (_, n) => line(n)).join("\n")}\n`;
}

/** A browser that was let in, with nothing in its cache. */
async function enter(browser: Browser, sandbox: Sandbox): Promise<Page> {
  const { stdout } = await sandbox.process("open", "--print");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(stdout.trim());
  await page.locator(".link.live").waitFor();
  return page;
}

async function openInbox(browser: Browser, sandbox: Sandbox) {
  const { stdout } = await sandbox.process("open", "--print");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    let bytes = 0;
    page.on("requestfinished", async (request) => {
      bytes += (await request.sizes()).responseBodySize;
    });
    const begunAt = performance.now();
    await page.goto(stdout.trim());
    await page.locator(".link.live").waitFor();
    const ms = performance.now() - begunAt;
    await page.waitForLoadState("load");
    return { ms, bytes };
  } finally {
    await context.close();
  }
}

/** What the newest change set took to be shown. */
interface Shown {
  readonly firstMs: number;
  readonly threadMs: number;
  readonly nodes: number;
  readonly longShare: number;
}

async function openReview(browser: Browser, sandbox: Sandbox): Promise<Shown> {
  const page = await enter(browser, sandbox);
  try {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const threadMs = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
    };
    const review = page.getByRole("link", { name: /^Review/u }).first();
    await review.waitFor();
    const before = await threadMs();
    const begunAt = performance.now();
    await review.click();
    await page.locator(".text.add").first().waitFor();
    const firstMs = performance.now() - begunAt;
    const taken = (await threadMs()) - before;
    const scrolled: unknown = await page.evaluate(SCROLL);
    const [nodes = 0, longShare = 0] = Array.isArray(scrolled) ? scrolled.map(Number) : [];
    return { firstMs, threadMs: taken, nodes, longShare };
  } finally {
    await page.context().close();
  }
}

/**
 * Most nodes there were, and the share of frames that took long, in percent; up and down again where
 * the end comes sooner. A list that does not move has measured nothing.
 */
const SCROLL = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const list = document.querySelector(".scroller");
  let nodes = 0, long = 0, last = await frame(), way = 1, moved = 0;
  for (let at = 0; at < ${SCROLLS}; at++) {
    const from = list.scrollTop;
    list.scrollTop += way * list.clientHeight;
    if (list.scrollTop === from) way = -way;
    moved += Math.abs(list.scrollTop - from);
    const now = await frame();
    if (now - last > ${LONG_FRAME_MS}) long++;
    last = now;
    if (at % 10 === 0) nodes = Math.max(nodes, document.getElementsByTagName("*").length);
  }
  if (moved < list.clientHeight * ${SCROLLS} / 4) throw new Error("the list did not move");
  return [nodes, 100 * long / ${SCROLLS}];
})()`;

/** Plans in as many conversations at once, each of which is an item of the inbox. */
async function countEvents({ root, bearer }: Scene): Promise<number> {
  const { seq } = JSON.parse(await (await fetch(`${root}/api/inbox`, { headers: bearer })).text());
  const stop = new AbortController();
  const { signal } = stop;
  const stream = await fetch(`${root}/api/events?after=${seq}`, { headers: bearer, signal });
  let heard = 0;
  const listening = (async () => {
    for await (const chunk of stream.body ?? []) {
      heard += Buffer.from(chunk).toString().split('"kind":"inbox","item"').length - 1;
    }
  })().catch(() => {});
  const begunAt = performance.now();
  const say = async (n: number) => {
    const body = JSON.stringify({
      message: `plan: write 1 files of ${n + 1} lines`,
      session_id: `e${n}`,
    });
    await (await fetch(`${root}/api/chat`, { method: "POST", headers: bearer, body })).text();
  };
  const waiting = Array.from({ length: EVENTS }, (_, n) => n).values();
  const speak = async () => {
    for (const n of waiting) await say(n);
  };
  await Promise.all(Array.from({ length: 16 }, speak));
  await until(() => heard >= EVENTS);
  const seconds = (performance.now() - begunAt) / 1000;
  stop.abort();
  await listening;
  return heard / seconds;
}
