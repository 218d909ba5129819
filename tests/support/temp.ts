import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder that goes when the scope ends: `using dir = tempDir()`. */
export function tempDir(
  prefix = "papayu-test-",
  parent = tmpdir(),
): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(realpathSync(parent), prefix));
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
