import { constants } from "node:os";
import { loadC } from "../processes/processes.ts";
import { readErrno, toSystemError } from "./system-error.ts";

/** Lets two entries of a disk change their names in one step, so that both are always there. */
export interface NameSwap extends Disposable {
  /**
   * False where the system, the disk or its driver cannot: then nothing was done.
   *
   * @throws Error with the system's code, as the calls of the runtime do, e.g. EXDEV or ENOENT
   */
  swap(one: string, other: string): boolean;
  /** Moves an entry to where nothing is: EEXIST says that something is. False and throws as above. */
  moveToFree(from: string, to: string): boolean;
}

/** The number of `renameat2`, for which older libraries have no function. */
const RENAMEAT2: Readonly<Record<string, number>> = { x64: 316, arm64: 276 };
/** AT_FDCWD: the paths are absolute. */
const ANY_FOLDER = -100;
const [RENAME_NOREPLACE, RENAME_SWAP] = [1, 2];
const CANNOT: ReadonlySet<number> = new Set([
  constants.errno.ENOSYS,
  constants.errno.EINVAL,
  constants.errno.EOPNOTSUPP,
]);

/** Loads nothing before it is asked. */
export function openNameSwap(): NameSwap {
  let loaded: ReturnType<typeof load>;
  let isTried = false;
  const rename = (one: string, other: string, how: number): boolean => {
    if (!isTried) loaded = load();
    isTried = true;
    const number = RENAMEAT2[process.arch];
    if (!loaded || number === undefined) return false;
    const { syscall, __errno_location: errnoPlace } = loaded.symbols;
    const [from, to] = [toCString(one), toCString(other)];
    if (Number(syscall(number, ANY_FOLDER, from, ANY_FOLDER, to, how)) === 0) return true;
    const errno = readErrno(errnoPlace());
    if (CANNOT.has(errno)) return false;
    throw toSystemError(errno, `rename '${one}' -> '${other}'`);
  };
  return {
    swap: (one, other) => rename(one, other, RENAME_SWAP),
    moveToFree: (from, to) => rename(from, to, RENAME_NOREPLACE),
    [Symbol.dispose]: () => loaded?.close(),
  };
}

function load() {
  return loadC({
    syscall: { args: ["i64", "i64", "ptr", "i64", "ptr", "i64"], returns: "i64" },
    __errno_location: { args: [], returns: "ptr" },
  });
}

function toCString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
