import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../src/system/sandbox/sandbox.ts";
import { runChecks } from "../../src/transaction/check.ts";
import { openView } from "../../src/transaction/view/view.ts";
import { changeSetOf, workspaceAt } from "./scene.ts";

/**
 * Opens views of `BASE/site` one after another and runs a script in each, telling its steps; with
 * `for-ever` it never ends by itself. What it prints last is what was left.
 */
const [base = "", script = "", rounds = "1"] = process.argv.slice(2);
const home = join(base, "home");
const viewsDir = join(home, "views");
const { signal } = new AbortController();
const sandbox = await createSandbox({ mode: "bwrap", env: process.env, hidden: [home] })();
const workspace = workspaceAt(join(base, "site"));
const changeSet = changeSetOf(workspace, [
  { kind: "CREATE_FILE", path: "new/x.txt", content: "new\n" },
  { kind: "DELETE_FILE", path: "d/one.txt" },
]);
const isEndless = rounds === "for-ever";
for (let left = isEndless ? Infinity : Number(rounds); left > 0; left--) {
  console.log("open");
  const view = await openView({
    workspace,
    viewsDir,
    changeSet,
    sandbox,
    env: process.env,
    signal,
  });
  if (view.kind === "none") throw new Error(view.reason);
  console.log("check");
  const commands = [{ name: "test", argv: ["sh", "-c", script] }];
  const options = { timeoutMs: 60_000, signal, env: process.env, sandbox, view, mark: base };
  const check = await runChecks(workspace, commands, options);
  console.log(check.ok ? "checked" : `failed: ${check.stages.at(-1)?.output}`);
  await view[Symbol.asyncDispose]();
}
console.log(`left: ${readdirSync(viewsDir).join(" ")}`);
