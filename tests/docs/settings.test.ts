import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";

import { snippetsOf } from "./snippets.ts";

/** What a part of a configuration may name without saying it. */
const WORKSPACES = ["site", "sample"]
  .map((name) => `[[workspaces]]\nname = "${name}"\npath = "./${name}"\n`)
  .join("");

const FOLDERS = ["site", "sample", "home/code/site"];

/** Whatever a snippet takes from the environment is there. */
function variablesOf(text: string): Record<string, string> {
  const names = [...text.matchAll(/"env:(\w+)"/gu)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, "a-value-of-some-length"]));
}

test.each(snippetsOf("toml").map((snippet) => [snippet.name, snippet] as const))(
  "%s … is a configuration that is taken",
  async (_name, { text }) => {
    using dir = tempDir();
    for (const folder of FOLDERS) mkdirSync(join(dir.path, folder), { recursive: true });
    const config = text.includes("[[workspaces]]") ? text : `${text}\n${WORKSPACES}`;
    const sandbox = createSandbox(dir.path, config, variablesOf(text));
    const { exitCode, stdout, stderr } = await sandbox.run("config", "check");
    expect({ exitCode, said: exitCode === 0 ? "" : stdout + stderr }).toEqual({
      exitCode: 0,
      said: "",
    });
  },
);
