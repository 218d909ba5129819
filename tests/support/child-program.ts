import { afterAll } from "bun:test";
import { chmodSync } from "node:fs";
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";
import { sourcesKnowTheirPlace } from "./source-places.ts";
import { tempDir } from "./temp.ts";

/**
 * A script of a test as one file, for a test file that starts it again and again: of a process that
 * reads and translates the sources one by one, half the work is that. The long forms run the
 * sources. To be called where a test file begins; the file goes when its tests are done.
 */
export async function childProgram(script: URL, ...more: readonly BunPlugin[]): Promise<string> {
  const path = Bun.fileURLToPath(script);
  if (process.env["LONG"] || process.env["LONG_FIGURES"]) return path;
  const dir = tempDir();
  afterAll(() => dir[Symbol.dispose]());
  chmodSync(dir.path, 0o755); // some tests start it as another user
  const plugins = [...more, sourcesKnowTheirPlace];
  await Bun.build({ entrypoints: [path], outdir: dir.path, target: "bun", plugins });
  return join(dir.path, basename(path).replace(/\.ts$/u, ".js"));
}
