import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../../src/system/sandbox/sandbox.ts";
import { openView } from "../../src/transaction/view/view.ts";
import { needs, onceOf } from "./needs.ts";
import { tempDir } from "./temp.ts";

using dir = tempDir();
const root = join(dir.path, "root");
mkdirSync(root);
const env = process.env;
const tried = createSandbox({ mode: "auto", env, hidden: [] });
const signal = new AbortController().signal;

async function tryView(): Promise<boolean> {
  const view = await openView({
    workspace: { root, protectedPaths: [] },
    viewsDir: join(dir.path, "views"),
    sandbox: await tried(),
    env,
    signal,
  });
  if (view.kind !== "none") await view[Symbol.asyncDispose]();
  return view.kind === "overlay";
}

/** Whether a view by overlay works here; some containers forbid it. */
export const hasOverlay = needs(
  "views by overlay (bubblewrap, and a kernel that lets it mount them)",
  await onceOf(tryView),
);

const sandbox = await tried(); // what works is remembered

/** Of every folder it was seen that a view of it works: this machine's were tried above. */
class AllSeen extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/**
 * The sandbox for views of scenes, of which a test makes one folder after another: to try each first
 * is a third of all commands that run there. Tests of that trial make a sandbox of their own.
 */
export const viewSandbox: Sandbox =
  hasOverlay && sandbox.kind === "bwrap"
    ? async () => ({ ...sandbox, seen: new AllSeen() })
    : createSandbox({ mode: "bwrap", env, hidden: [] });
