import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { findUnseen, noteSeen } from "../../../src/planner/verify/verify.ts";
import { createVerificationStore } from "../../../src/store/verifications.ts";
import { resolveChecks } from "../../../src/workspace/checks/checks.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { toWorkspace } from "../planner-scene.ts";

/**
 * Sees what is found in a folder, puts another one in its place, and prints how much of it is unseen:
 * at first, when it was seen, when files came and went, and in the other folder; and whether the disk
 * gave that the same inode. The way is `mount` or `make`.
 */
const [root = "", way] = process.argv.slice(2);

function run(...command: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync([...command]);
  if (!success) throw new Error(stderr.toString());
}

function open(): void {
  if (way === "mount") run("mount", "-t", "tmpfs", "none", root);
  else mkdirSync(root);
  writeFileSync(`${root}/Makefile`, "test:\n\ttrue\n");
}

function close(): void {
  if (way === "mount") run("umount", root);
  else rmSync(root, { recursive: true });
}

using store = memoryStore();
const { known } = createVerificationStore(store);
open();
const workspace = toWorkspace(root, { check: "detect" });
const unseen = async () => (await findUnseen(known, workspace)).length;

const first = await unseen();
noteSeen(known, workspace, await resolveChecks(workspace));
const seen = await unseen();
writeFileSync(`${root}/more.txt`, "");
const later = await unseen();
const { ino } = statSync(root);
close();
open();
const isSameInode = statSync(root).ino === ino;
console.log(JSON.stringify({ first, seen, later, other: await unseen(), isSameInode }));
close();
