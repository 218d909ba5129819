import { loadC } from "../../src/system/processes/processes.ts";
import { openAccessLists } from "../../src/system/rights/rights.ts";

const NOBODY = 0xff_ff_ff_ff;

/** A list by which a user of this number may read and write, and the owning group only what is said. */
export function listOf(user: number, ofGroup: number, ofOwner = 6): Uint8Array {
  const entries = [
    [0x01, ofOwner, NOBODY],
    [0x02, 6, user],
    [0x04, ofGroup, NOBODY],
    [0x10, 6, NOBODY],
    [0x20, 0, NOBODY],
  ] as const;
  const bytes = Buffer.alloc(4 + 8 * entries.length);
  bytes.writeUInt32LE(2, 0);
  for (const [at, [tag, rights, id]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + 8 * at);
    bytes.writeUInt16LE(rights, 6 + 8 * at);
    bytes.writeUInt32LE(id, 8 + 8 * at);
  }
  return bytes;
}

/** The list of a file. */
export function readList(path: string): Uint8Array | undefined {
  using lists = openAccessLists();
  return lists.read(path);
}

/** Gives a file a list, or takes it away; false where the disk keeps none. */
export function giveList(path: string, list: Uint8Array | undefined): boolean {
  using lists = openAccessLists();
  return lists.write(path, list);
}

/** Gives a folder a list for what is made in it; nothing of ours does. */
export function handDown(folder: string, list: Uint8Array): void {
  const loaded = loadC({
    setxattr: { args: ["ptr", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  });
  const name = Buffer.from("system.posix_acl_default\0");
  const done = loaded?.symbols.setxattr(Buffer.from(`${folder}\0`), name, list, list.length, 0);
  loaded?.close();
  if (done !== 0) throw new Error(`no list for ${folder}`);
}
