import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { writeTree } from "../support/tree.ts";

/** Every kind of change at least once. */
export const CRASH_ACTIONS: readonly Action[] = [
  { kind: "CREATE_DIR", path: "empty" },
  { kind: "CREATE_FILE", path: "src/deep/new.ts", content: "export {};\n" },
  { kind: "CREATE_FILE", path: "zero", content: "" },
  {
    kind: "REPLACE_RANGE",
    path: "run.sh",
    base_sha256: sha256("one\ntwo"),
    start_line: 1,
    end_line: 1,
    content: "1",
  },
  { kind: "DELETE_FILE", path: "old/in/gone.bin" },
  { kind: "DELETE_DIR", path: "old/in" },
  { kind: "DELETE_DIR", path: "old" },
];

/** Files, modes, a folder and a link as they are before {@link CRASH_ACTIONS}. */
export function writeCrashScene(root: string): void {
  writeTree(root, {
    "keep.txt": "keep\n",
    "run.sh": "one\ntwo",
    "old/in/gone.bin": Buffer.from([0, 255, 13, 10]),
  });
  mkdirSync(join(root, "untouched"));
  symlinkSync("keep.txt", join(root, "link"));
  chmodSync(join(root, "run.sh"), 0o755);
  chmodSync(join(root, "old/in/gone.bin"), 0o640);
  chmodSync(join(root, "old/in"), 0o700);
}
