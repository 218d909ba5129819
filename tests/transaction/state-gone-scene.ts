import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { ChangeSet } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { writeTree } from "../support/tree.ts";
import { changeSetOf } from "./scene.ts";

const UPDATE: Action = {
  kind: "REPLACE_RANGE",
  path: "text.txt",
  base_sha256: sha256("one\ntwo\n"),
  start_line: 1,
  end_line: 1,
  content: "1",
};
const CREATE: Action = { kind: "CREATE_FILE", path: "new/new.txt", content: "new\n" };
const DELETE: Action = { kind: "DELETE_FILE", path: "gone.txt" };
const RENAME: readonly Action[] = [
  { kind: "CREATE_FILE", path: "a/moved.txt", content: "moves\n" },
  { kind: "DELETE_FILE", path: "moves.txt" },
];
const RMDIR: Action = { kind: "DELETE_DIR", path: "empty" };

const KINDS = {
  create: [CREATE],
  update: [UPDATE],
  delete: [DELETE],
  rename: RENAME,
  mkdir: [{ kind: "CREATE_DIR", path: "made" }],
  rmdir: [RMDIR],
  mode: [],
  all: [CREATE, UPDATE, DELETE, ...RENAME, RMDIR],
} as const satisfies Readonly<Record<string, readonly Action[]>>;

/** What a change may do to a path, and all of it at once. */
export type Kind = keyof typeof KINDS;

export function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name);
}

export function writeScene(root: string): void {
  writeTree(root, {
    "text.txt": "one\ntwo\n",
    "gone.txt": "nowhere else\n",
    "moves.txt": "moves\n",
    "tool.sh": "#!/bin/sh\n",
  });
  chmodSync(join(root, "moves.txt"), 0o600);
  mkdirSync(join(root, "empty"), { mode: 0o700 });
}

export function changesOf(workspace: Workspace, kind: Kind): ChangeSet {
  const { changes, contents } = changeSetOf(workspace, KINDS[kind]);
  if (kind !== "mode" && kind !== "all") return { ...changeSetOf(workspace, KINDS[kind]) };
  const bytes = Buffer.from("#!/bin/sh\n");
  const before = { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.length };
  const madeExecutable = { kind: "update", path: "tool.sh", before } as const;
  return buildChangeSet(
    [...changes, { ...madeExecutable, after: { ...before, mode: 0o755 } }],
    new Map([...contents, [before.sha256, bytes]]),
  );
}
