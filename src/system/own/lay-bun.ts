import { copyFileSync, existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD } from "./own.ts";

/**
 * Bun for who has none: the single file is Bun as well. Lays a `bun` into `folder`, once, and
 * gives the folder for PATH; nothing where papa-yu runs on a Bun that can be found.
 */
export function layBun(folder: string): string | undefined {
  if (BUILD?.form !== "single") return undefined;
  const bin = join(folder, "bin");
  if (existsSync(join(bin, "bun"))) return bin;
  mkdirSync(bin, { recursive: true });
  const program = join(folder, "papayu");
  try {
    linkSync(process.execPath, program);
  } catch {
    copyFileSync(process.execPath, program); // it is on another disk
  }
  const script = `#!/bin/sh\nBUN_BE_BUN=1 exec '${program.replaceAll("'", "'\\''")}' "$@"\n`;
  writeFileSync(join(bin, "bun"), script, { mode: 0o755 });
  return bin;
}
