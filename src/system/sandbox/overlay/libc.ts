import { loadC } from "../../processes/processes.ts";

/** What overlayfs is made of and what the runtime has no call for. */
export interface OverlayCalls extends Disposable {
  /** Makes the entry that hides a name of the layers below; the folder above it must be there. */
  makeWhiteout(path: string): void;
  /** Whether a folder hides all that the layers below have in a folder of its name. */
  isOpaque(path: string): boolean;
  /** Whether a folder carries such a note, whatever it says. */
  isNoted(path: string): boolean;
  /** Makes a folder hide them. */
  setOpaque(path: string): void;
  /** Whether files there can carry what overlayfs notes on them. */
  keepsNotes(path: string): boolean;
}

/** Older libraries have no function of that name. */
const MKNODAT: Readonly<Record<string, number>> = { x64: 259, arm64: 33 };
const ANY_FOLDER = -100; // AT_FDCWD: the path is absolute
const CHARACTER_DEVICE = 0o020000;

const OPAQUE = "user.overlay.opaque";
/** The kernel wants it to be exactly this. */
const IS_OPAQUE = "y".charCodeAt(0);
const TRIAL = "user.papa-yu";

/** The calls; undefined where the C library or the kind of machine is not known. */
export function openOverlayCalls(): OverlayCalls | undefined {
  const mknodat = process.platform === "linux" ? MKNODAT[process.arch] : undefined;
  const loaded = mknodat === undefined ? undefined : load();
  return mknodat === undefined || !loaded ? undefined : toCalls(loaded, mknodat);
}

function load() {
  return loadC({
    syscall: { args: ["i64", "i64", "ptr", "i64", "i64"], returns: "i64" },
    lgetxattr: { args: ["ptr", "ptr", "ptr", "u64"], returns: "i64" },
    lsetxattr: { args: ["ptr", "ptr", "ptr", "u64", "i32"], returns: "i32" },
    lremovexattr: { args: ["ptr", "ptr"], returns: "i32" },
  });
}

function toCalls(loaded: NonNullable<ReturnType<typeof load>>, mknodat: number): OverlayCalls {
  const { symbols } = loaded;
  return {
    makeWhiteout(path) {
      const done = symbols.syscall(mknodat, ANY_FOLDER, toCString(path), CHARACTER_DEVICE, 0);
      if (Number(done) !== 0) throw new Error("the disk takes no entry that hides a file");
    },
    isOpaque(path) {
      const value = Buffer.alloc(1);
      const size = symbols.lgetxattr(toCString(path), toCString(OPAQUE), value, value.length);
      return Number(size) === 1 && value[0] === IS_OPAQUE;
    },
    isNoted(path) {
      const size = symbols.lgetxattr(toCString(path), toCString(OPAQUE), Buffer.alloc(1), 0);
      return Number(size) >= 0;
    },
    setOpaque(path) {
      const value = Buffer.from("y");
      const done = symbols.lsetxattr(toCString(path), toCString(OPAQUE), value, value.length, 0);
      if (done !== 0) throw new Error("the disk keeps no extended attributes");
    },
    keepsNotes(path) {
      const value = Buffer.alloc(1);
      const done = symbols.lsetxattr(toCString(path), toCString(TRIAL), value, value.length, 0);
      if (done === 0) symbols.lremovexattr(toCString(path), toCString(TRIAL));
      return done === 0;
    },
    [Symbol.dispose]: () => loaded.close(),
  };
}

function toCString(text: string): Buffer {
  if (text.includes("\0")) throw new Error("a name with a zero byte");
  return Buffer.from(`${text}\0`);
}
