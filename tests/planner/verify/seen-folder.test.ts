import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CAN_MOUNT, UNSHARE } from "../../support/mount.ts";
import { tempDir } from "../../support/temp.ts";

const CHILD = Bun.fileURLToPath(new URL("seen-folder-child.ts", import.meta.url));

async function replace(root: string, way: "mount" | "make", wrapper: readonly string[] = []) {
  const command = [...wrapper, process.execPath, CHILD, root, way];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(errors).toBe("");
  return JSON.parse(output);
}

const KNOWN = { first: 1, seen: 0, later: 0, other: 1 };

test("what was seen in a folder counts for none that is made anew in its place", async () => {
  using dir = tempDir("papayu-test-", "/var/tmp"); // disks, unlike memory, give an inode anew at once
  expect(await replace(join(dir.path, "folder"), "make")).toMatchObject(KNOWN);
});

/** Where no namespace can be made, nobody without rights can mount a disk there either. */
test.if(CAN_MOUNT)("nor for another disk there, whose root has the same inode", async () => {
  using dir = tempDir();
  const root = join(dir.path, "folder");
  mkdirSync(root);
  expect(await replace(root, "mount", UNSHARE)).toEqual({ ...KNOWN, isSameInode: true });
});
