/**
 * Makes the pictures of the web console in `docs/images/` anew: a daemon of its own, a scripted model,
 * and Chromium at 1280 × 860.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createSandbox } from "../tests/e2e/papayu.ts";
import { openBrowser } from "../tests/support/browser.ts";
import { type ModelRequest, type Reply, startModelServer } from "../tests/support/model-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { writeTree } from "../tests/support/tree.ts";

const IMAGES = join(import.meta.dir, "../docs/images");
const GOAL = "src/cart.ts does not count the first line of a cart; and write prices as people do";
const SUMMARY =
  "1. Count the first line of a cart as well\n2. Write prices as the language does\n3. Test both";

const CART = `/** What somebody is about to buy. */
export interface CartLine {
  readonly name: string;
  readonly cents: number;
  readonly count: number;
}

/** What all of it costs, in cents. */
export function totalOf(lines: readonly CartLine[]): number {
  let sum = 0;
  for (let at = 1; at < lines.length; at++) {
    sum += lines[at].cents * lines[at].count;
  }
  return sum;
}

/** 1999 as "19.99 €". */
export function formatPrice(cents: number): string {
  return (cents / 100).toFixed(2) + " €";
}
`;

const PATCH = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -8,12 +8,9 @@
 /** What all of it costs, in cents. */
 export function totalOf(lines: readonly CartLine[]): number {
-  let sum = 0;
-  for (let at = 1; at < lines.length; at++) {
-    sum += lines[at].cents * lines[at].count;
-  }
-  return sum;
+  return lines.reduce((sum, { cents, count }) => sum + cents * count, 0);
 }
 
-/** 1999 as "19.99 €". */
+/** 1999 as "19.99 €", with the language's own comma. */
 export function formatPrice(cents: number): string {
-  return (cents / 100).toFixed(2) + " €";
+  const format = { style: "currency", currency: "EUR" } as const;
+  return new Intl.NumberFormat("en", format).format(cents / 100);
 }
`;

const TEST = `import { expect, test } from "bun:test";
import { formatPrice, totalOf } from "../src/cart.ts";

test("the first line counts, too", () => {
  const lines = [
    { name: "tea", cents: 450, count: 2 },
    { name: "cup", cents: 1299, count: 1 },
  ];
  expect(totalOf(lines)).toBe(2199);
});

test("a price is written as people write it", () => {
  expect(formatPrice(219900)).toBe("€2,199.00");
});
`;

function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const [, sha = ""] = /FILE\[src\/cart\.ts\] \(sha256=(\w+)/u.exec(said) ?? [];
  const actions = [
    { kind: "PATCH_FILE", path: "src/cart.ts", base_sha256: sha, patch: PATCH },
    { kind: "CREATE_FILE", path: "tests/cart.test.ts", content: TEST },
  ];
  const isApply = said.includes("Now APPLY");
  return {
    kind: "text",
    text: JSON.stringify({ actions: isApply ? actions : [], summary: SUMMARY }),
  };
}

using dir = tempDir("papayu-pictures-");
writeTree(join(dir.path, "shop"), {
  "src/cart.ts": CART,
  "README.md": "# Shop\n\nA cart and its prices.\n",
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --version" } }\n',
});
await using model = startModelServer(play);
const sandbox = createSandbox(
  dir.path,
  `[default]
provider = "local"
[providers.local]
base_url = "${model.url}"
model = "scripted"
[http]
port = 0
[[workspaces]]
name = "shop"
path = "./shop"
check = [["npm", "test"]]
`,
);
await using _daemon = await sandbox.start();
const address = (await sandbox.process("open", "--print")).stdout.trim();
const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
for (const message of [`plan: ${GOAL}`, "ok"]) {
  const body = JSON.stringify({ message, session_id: "shop" });
  const headers = { authorization: `Bearer ${token}` };
  const api = `http://127.0.0.1:${new URL(address).port}/api/chat`;
  await (await fetch(api, { method: "POST", headers, body })).text();
}

await using browser = await openBrowser();
const page = await browser.newPage({
  viewport: { width: 1280, height: 860 },
  reducedMotion: "reduce",
});
await page.goto(address);
await page.locator(".link.live").waitFor();
await page.getByRole("button", { name: "Show changes" }).click();
await take(page, "inbox");
await page
  .getByRole("link", { name: /^Review/u })
  .first()
  .click();
await take(page, "review");
await page.getByRole("link", { name: "Chat" }).first().click();
await page.getByRole("link", { name: /cart/u }).first().click();
await take(page, "chat");

/** Once the lines of a file are there in their colours. */
async function take(shown: Page, name: string): Promise<void> {
  await shown.locator(".text.add span[class]").first().waitFor();
  await Bun.sleep(1500); // what moves has come to rest
  await shown.screenshot({ path: join(IMAGES, `console-${name}.png`) });
}
