import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What the kernel saw happen to a path; the words are those of inotify. */
export interface Seen {
  /** Relative to the folder, with "/". */
  readonly path: string;
  readonly what: readonly string[];
}

const WORDS = {
  modify: 0x2,
  attrib: 0x4,
  closeWrite: 0x8,
  movedFrom: 0x40,
  movedTo: 0x80,
  create: 0x100,
  delete: 0x200,
  overflow: 0x4000,
} as const;

const IS_FOLDER = 0x40000000;
const DONT_FOLLOW_ONLY_DIR = 0x2000000 | 0x1000000;
const NONBLOCK = 0x800;
const ALL = Object.values(WORDS).reduce((mask, each) => mask | each, 0) | DONT_FOLLOW_ONLY_DIR;
const HEAD_BYTES = 16;

/** Everything that happens below a folder from now on, as the kernel tells it (Linux). */
export interface Watch extends Disposable {
  /** What was seen since the last call. */
  take(): readonly Seen[];
}

/** Watches all folders below `root` but those in `except`, which are relative paths. */
export function watchFolder(root: string, except: ReadonlySet<string>): Watch {
  const { symbols } = dlopen("libc.so.6", {
    inotify_init1: { args: ["i32"], returns: "i32" },
    inotify_add_watch: { args: ["i32", "ptr", "u32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const fd = symbols.inotify_init1(NONBLOCK);
  if (fd < 0) throw new Error("the kernel watches no more folders");
  const folders = new Map<number, string>();
  const add = (folder: string) => {
    if (except.has(folder)) return;
    const wd = symbols.inotify_add_watch(fd, Buffer.from(`${join(root, folder)}\0`), ALL);
    if (wd < 0) return; // gone meanwhile
    folders.set(wd, folder);
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.isDirectory()) add(join(folder, entry.name));
    }
  };
  add("");
  return {
    take() {
      const seen: Seen[] = [];
      const bytes = Buffer.alloc(1 << 20);
      for (;;) {
        const size = Number(symbols.read(fd, bytes, bytes.length));
        if (size <= 0) return seen;
        for (let at = 0; at < size; ) {
          const mask = bytes.readUInt32LE(at + 4);
          const length = bytes.readUInt32LE(at + 12);
          const name = bytes.toString("utf8", at + HEAD_BYTES, at + HEAD_BYTES + length);
          const folder = folders.get(bytes.readInt32LE(at)) ?? "";
          const path = join(folder, name.replace(/\0.*$/su, ""));
          at += HEAD_BYTES + length;
          const what = Object.entries(WORDS).flatMap(([word, bit]) => (mask & bit ? [word] : []));
          if (what.length > 0 && !except.has(path)) seen.push({ path, what });
          if (mask & IS_FOLDER && mask & (WORDS.create | WORDS.movedTo)) add(path);
        }
      }
    },
    [Symbol.dispose]: () => void symbols.close(fd),
  };
}
