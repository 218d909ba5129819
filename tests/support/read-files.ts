import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { lookAgain } from "./patience.ts";

/** The text of every file below a folder, hidden ones too, by path; links are not followed. */
export function readFiles(root: string): Record<string, string> {
  return lookAgain(() => readOnce(root));
}

function readOnce(root: string): Record<string, string> {
  const paths = [...new Glob("**/*").scanSync({ cwd: root, dot: true, onlyFiles: true })];
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}
