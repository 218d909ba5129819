import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import * as own from "../../src/index.ts";
import { casesOf, KINDS } from "../patch/model-diffs/model-diffs.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { bareEnvironment, install, pack, ROOT } from "./installed.ts";

const dir = tempDir("papayu-test-library-");
afterAll(() => dir[Symbol.dispose]());
const app = join(dir.path, "app");
install(pack(dir.path).path, app);
const env = bareEnvironment(join(dir.path, "home"));

type Call = readonly [name: keyof typeof own, ...args: readonly unknown[]];

const ANSWER = { actions: [{ kind: "CREATE_FILE", path: "a.txt", content: "x\n" }], summary: "s" };
const TWICE = { ...ANSWER, actions: [...ANSWER.actions, { kind: "DELETE_FILE", path: "a.txt" }] };

/** Calls of everything that the library has, for which nothing but their arguments counts. */
const CALLS: readonly Call[] = [
  ...Object.keys(KINDS).flatMap((kind) =>
    [...casesOf(kind, 3, runs(2, 40))].map(({ source, patch }): Call => {
      if (typeof patch === "string") return ["applyPatch", source, patch, { path: "file" }];
      const { before, after } = patch;
      const edit = { op: "replace", anchor: before.slice(0, 256), before, after };
      return ["applyEdits", source, [edit]];
    }),
  ),
  ["applyPatch", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"],
  ["replaceRange", "a\nb\nc\n", { start_line: 2, end_line: 2, content: "x\n" }],
  ...([1, 2, 3] as const).flatMap((version) =>
    [ANSWER, TWICE, { actions: "no" }, null, { actions: [{ kind: "NOPE" }] }].flatMap((answer) =>
      (["plan", "apply"] as const).map(
        (mode): Call => ["validateResponse", answer, { version, mode }],
      ),
    ),
  ),
  ["htmlToText", "<h1>A &amp; B</h1><ul><li>one<li>two</ul><pre> x\n  y</pre>"],
  ["htmlToText", "<table><tr><td>1<td>2</table><script>no()</script>"],
  ["extractErrorCodePrefix", "ERR_PATCH_CONTEXT: nothing"],
  ["extractErrorCodePrefix", "no code"],
  ["checkUrl", "http://127.0.0.1/"],
  ["checkUrl", "http://[::ffff:10.0.0.1]/"],
  ["checkUrl", "https://93.184.216.34/x"],
];

const FUNCTIONS = new Map(Object.entries(own));

async function ownResults(calls: readonly Call[]): Promise<unknown> {
  const results: unknown[] = [];
  for (const [name, ...args] of calls) {
    const result: unknown = Reflect.apply(FUNCTIONS.get(name) ?? Object, undefined, args);
    results.push(await result);
  }
  return JSON.parse(JSON.stringify(results));
}

describe("the library", () => {
  test("has a call of every function in the table, and none that throws", () => {
    const functions = [...FUNCTIONS.keys()];
    expect([...new Set<string>(CALLS.map(([name]) => name))].toSorted()).toEqual(
      functions.toSorted(),
    );
  });

  test("gives in Node what it gives here", async () => {
    const script = `import * as library from "papayu";
import { readFileSync, writeFileSync } from "node:fs";
const calls = JSON.parse(readFileSync("calls.json", "utf8"));
const results = [];
for (const [name, ...args] of calls) results.push(await library[name](...args));
writeFileSync("results.json", JSON.stringify(results));
`;
    writeTree(app, { "calls.json": JSON.stringify(CALLS), "run.mjs": script });
    const { exitCode, stderr } = Bun.spawnSync(["node", "run.mjs"], { cwd: app, env });
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
    expect(await Bun.file(join(app, "results.json")).json()).toEqual(await ownResults(CALLS));
  });

  test("gives in what a browser has what it gives here, but for what asks DNS", async () => {
    const calls = CALLS.filter(([name]) => name !== "checkUrl");
    writeTree(app, { "page.js": 'import * as papayu from "papayu"; globalThis.library = papayu;' });
    const { outputs } = await Bun.build({
      entrypoints: [join(app, "page.js")],
      target: "browser",
      format: "iife",
    });
    const page = createContext({
      TextDecoder,
      TextEncoder,
      URL,
      atob,
      btoa,
      setTimeout,
      queueMicrotask,
    });
    runInContext((await outputs[0]?.text()) ?? "", page);
    page["calls"] = JSON.stringify(calls);
    const run = `(async () => { const results = [];
for (const [name, ...args] of JSON.parse(calls)) results.push(await library[name](...args));
return JSON.stringify(results); })()`;
    expect(JSON.parse(await runInContext(run, page))).toEqual(await ownResults(calls));
  });

  test.each([
    ["bundler", "esnext"],
    ["nodenext", "nodenext"],
  ])("has types that a strict program takes as %s resolves them", (resolution, module) => {
    const program = `import { applyEdits, applyPatch, checkUrl, type Edit, htmlToText, type PatchResult, validateResponse } from "papayu";
const edits: Edit[] = [{ op: "replace", anchor: "b", before: "b", after: "c" }];
const result: PatchResult = applyEdits("b", edits);
export const text: string = result.ok ? result.text : result.message;
export const same: PatchResult = applyPatch("a", "b", { path: "c" });
const answer = validateResponse({}, { version: 2, mode: "plan" });
if (answer.ok) {
  for (const action of answer.response.actions) {
    const path: string = action.path;
    if (action.kind === "CREATE_FILE") console.log(path, action.content.length);
    // @ts-expect-error there is no such kind of action
    if (action.kind === "NOPE") console.log(path);
  }
} else console.log(answer.code, answer.errors.join());
export const page: Promise<string> = htmlToText("<p>x");
export const verdict = checkUrl("http://x").then(({ allowed }) => allowed);
// @ts-expect-error a version that there is not
validateResponse({}, { version: 9, mode: "plan" });
`;
    writeTree(app, { "package.json": '{"type":"module"}', "use.ts": program });
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const options = `--strict --noEmit --skipLibCheck false --lib es2023,dom --target es2022 --moduleResolution ${resolution} --module ${module} use.ts`;
    const { stdout } = Bun.spawnSync([tsc, "--types", "", ...options.split(" ")], { cwd: app });
    expect(stdout.toString()).toBe("");
  });
});
