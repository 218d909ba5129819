import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../src/system/sandbox/sandbox.ts";
import { openView } from "../../src/transaction/view/view.ts";
import { tempDir } from "./temp.ts";

using dir = tempDir();
const root = join(dir.path, "root");
mkdirSync(root);
const env = process.env;
const sandbox = await createSandbox({ mode: "auto", env, hidden: [] })();
const signal = new AbortController().signal;
const view = await openView({
  workspace: { root, protectedPaths: [] },
  viewsDir: join(dir.path, "views"),
  sandbox,
  env,
  signal,
});
if (view.kind !== "none") await view[Symbol.asyncDispose]();

/** Whether a view by overlay works here; some containers forbid it. */
export const hasOverlay = view.kind === "overlay";
