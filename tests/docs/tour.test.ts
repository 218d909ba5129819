import { expect, test } from "bun:test";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, openTerminal } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { expectShown } from "./expect-shown.ts";
import { readSnippet } from "./snippets.ts";

const ROOT = join(import.meta.dir, "../..");
/** What of a checkout the program reads. */
const READ = ["src", "bin", "schemas", "skills", "workspaces", "package.json", "config.toml"];

test("README's two minutes, typed as they stand there in a checkout, come to what they show", async () => {
  const page = readSnippet("README.md: papa-yu 0.1.0 is ready.");
  using dir = tempDir();
  const project = join(dir.path, "home/papa-yu");
  for (const name of READ) cpSync(join(ROOT, name), join(project, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  const sample = join(project, "workspaces/sample");
  const before = readTree(sample);
  const { PAPAYU_CONFIG: _, ...env } = createSandbox(dir.path, "").env;
  // What `npm start` runs.
  const start = [process.execPath, "src/main.ts", "start"];
  await using terminal = openTerminal(start, { cwd: project, env });
  await terminal.waitFor(/› /u);
  const answers: Readonly<Record<string, RegExp>> = {
    "plan: add what a newcomer would miss": /Type ok[^]*› /u,
    ok: /\[y\/N\] /u,
    y: /Applied in[^]*› /u,
    "/undo": /Undone in[^]*› /u,
  };
  const typed = [...page.matchAll(/^› (?<line>.*)$|\[y\/N\] (?<yes>.*)$/gmu)].map(
    ({ groups = {} }) => groups["line"] ?? groups["yes"] ?? "",
  );
  expect(typed).toEqual(Object.keys(answers));
  for (const line of typed) {
    terminal.type(`${line}\r`);
    await terminal.waitFor(answers[line] ?? /never/u);
  }
  expectShown(page, terminal.screen());
  expect(readTree(sample)).toEqual(before);
});
