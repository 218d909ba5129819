/** What a person can do about a disk that refuses, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on the disk",
  EDQUOT: "free some space or raise the disk quota",
  EFBIG: 'raise the limit on file sizes ("ulimit -f")',
  EROFS: "make the disk writable",
  EACCES: "check who owns it and its permissions",
  EPERM: "check who owns it, its permissions and whether it is immutable",
  EMFILE: 'raise the limit on open files ("ulimit -n")',
  ENFILE: "close some programs: the system has no open files left",
  EIO: "check the disk",
  SQLITE_IOERR: "check the disk and the space on it",
  SQLITE_FULL: "free some space on the disk",
  SQLITE_READONLY: "check who owns it and its permissions",
  SQLITE_CANTOPEN: "check who owns its folder and the permissions",
  SQLITE_BUSY: "another program holds it; try again",
};

/** What to do about an error code of the disk or of SQLite; undefined when it is none of these. */
export function diskAdvice(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  const [family = ""] = code.match(/^(SQLITE_)?[A-Z]+/) ?? []; // SQLITE_READONLY_DBMOVED and such
  return Object.hasOwn(ADVICE, family) ? ADVICE[family] : undefined;
}
