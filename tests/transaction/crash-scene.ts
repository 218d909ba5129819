import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { ChangeSet } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { writeTree } from "../support/tree.ts";
import { changeSetOf } from "./scene.ts";

const CRLF = "eins\r\nzwei\r\n";

/** Every kind of action at least once. */
const CRASH_ACTIONS: readonly Action[] = [
  { kind: "CREATE_DIR", path: "empty" },
  { kind: "CREATE_FILE", path: "src/deep/new.ts", content: "export {};\n" },
  { kind: "CREATE_FILE", path: "zero", content: "" },
  replaceFirstLine("run.sh", "one\ntwo", "1"),
  replaceFirstLine("text/crlf.txt", CRLF, "one"),
  { kind: "DELETE_FILE", path: "old/in/gone.bin" },
  { kind: "DELETE_DIR", path: "old/in" },
  { kind: "DELETE_DIR", path: "old" },
];

/** Files, modes, folders and links as they are before {@link crashChangeSet}. */
export function writeCrashScene(root: string): void {
  writeTree(root, {
    "keep.txt": "keep\n",
    "run.sh": "one\ntwo",
    "tool.sh": "#!/bin/sh\n",
    "old/in/gone.bin": Buffer.from([0, 255, 13, 10]),
    "text/crlf.txt": CRLF,
    "text/image.bin": Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0]),
    "text/mixed.txt": "\uFEFFa\r\nb\nc",
  });
  mkdirSync(join(root, "untouched"));
  symlinkSync("keep.txt", join(root, "link"));
  symlinkSync("../run.sh", join(root, "text/link"));
  symlinkSync("nowhere", join(root, "text/dangling"));
  chmodSync(join(root, "run.sh"), 0o755);
  chmodSync(join(root, "text/image.bin"), 0o444);
  chmodSync(join(root, "old/in/gone.bin"), 0o640);
  chmodSync(join(root, "old/in"), 0o700);
}

/** Every kind of change at least once, one of the mode alone among them. */
export function crashChangeSet(workspace: Workspace): ChangeSet {
  const { changes, contents } = changeSetOf(workspace, CRASH_ACTIONS);
  const bytes = Buffer.from("#!/bin/sh\n");
  const before = { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.length };
  const madeExecutable = { kind: "update", path: "tool.sh", before } as const;
  return buildChangeSet(
    [...changes, { ...madeExecutable, after: { ...before, mode: 0o755 } }],
    new Map([...contents, [before.sha256, bytes]]),
  );
}

function replaceFirstLine(path: string, text: string, content: string): Action {
  const base_sha256 = sha256(text);
  return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 1, end_line: 1, content };
}
