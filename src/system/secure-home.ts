import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";

/** How deep is looked into folders whose files decide something. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ["trusted", 1],
  ["skills", 2],
]);
/** By one of these a folder is known to be papa-yu's, and not somebody else's that must stay open. */
const OWN_NAMES: ReadonlySet<string> = new Set(
  "config.toml state.db daemon.lock http.token trusted logs".split(" "),
);
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes sure that nobody else can write the daemon's folder, or could have written what is read
 * there as the owner's word: the folder and everything in it is this user's, and what others have
 * the right to write is taken from them. Returns what has to be reported: what others could write
 * until now. A folder that is not there yet is right, if nobody can put another one in its place.
 *
 * @param uid the user that it has to belong to
 * @throws AppError ERR_HOME_UNSAFE when it is not this user's, or cannot be closed
 */
export function secureHome(home: string, uid = process.geteuid?.()): readonly string[] {
  if (uid === undefined) return []; // a system without users
  const link = look(home, lstatSync);
  const folder = look(home, statSync);
  for (const path of new Set([home, link ? realpathSync(home) : home])) assertSafeParents(path);
  if (!link || !folder) return [];
  // Root may work with somebody's home; what is in it is theirs, or root's.
  const owners = new Set([uid, 0, ...(uid === 0 ? [folder.uid] : [])]);
  for (const status of [link, folder]) assertOwner(home, status, owners);
  if (!folder.isDirectory()) return [];
  assertOwn(home, folder);
  const opened = close(home, folder, OPEN_TO_OTHERS) & WRITABLE_BY_OTHERS ? [home] : [];
  const inside = [...entriesOf(home, 0)].filter((path) => secureEntry(path, owners));
  const isReached = (folder.mode & 0o011) !== 0;
  return [...opened, ...(isReached ? inside : [])].map(
    (path) =>
      `"${path}" could be written by others until now, and is closed to them from now on; look whether everything in it is yours`,
  );
}

/** Whether others could write it; through a link what it leads to. */
function secureEntry(path: string, owners: ReadonlySet<number>): boolean {
  const [entry, target] = [look(path, lstatSync), look(path, statSync)];
  if (!entry || !target) return false; // it has just gone, or leads nowhere
  for (const status of [entry, target]) assertOwner(path, status, owners);
  return (close(path, target, WRITABLE_BY_OTHERS) & WRITABLE_BY_OTHERS) !== 0;
}

/** Everything directly in the folder, and below what decides something. */
function* entriesOf(folder: string, more: number): Generator<string> {
  for (const name of list(folder)) {
    const path = join(folder, name);
    yield path;
    const depth = more > 0 ? more - 1 : (DEPTHS.get(name) ?? 0);
    if (depth > 0 && look(path, statSync)?.isDirectory()) yield* entriesOf(path, depth);
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unsafe(folder, errorMessage(error));
  }
}

/** Takes these rights away where somebody has them; gives the rights it had. */
function close(path: string, { mode }: Stats, rights: number): number {
  if ((mode & rights) === 0) return mode;
  try {
    chmodSync(path, mode & 0o7777 & ~rights);
  } catch (error) {
    throw unsafe(path, `it is open to others, and cannot be closed: ${errorMessage(error)}`);
  }
  const after = statSync(path).mode;
  if ((after & rights & WRITABLE_BY_OTHERS) === 0) return mode;
  throw unsafe(path, "others can write it, and its disk keeps no rights; use another one");
}

/** Others keep their rights on folders of the system or with other people's files unless asked. */
function assertOwn(home: string, { mode }: Stats): void {
  if ((mode & OPEN_TO_OTHERS) === 0) return;
  const names = list(home);
  const isOwn = names.length === 0 || names.some((name) => OWN_NAMES.has(name));
  if (isOwn && (mode & STICKY) === 0) return;
  throw unsafe(home, "it is open to others and holds other files than papa-yu's");
}

function assertOwner(path: string, { uid }: Stats, owners: ReadonlySet<number>): void {
  if (owners.has(uid)) return;
  throw unsafe(path, `it belongs to the user ${uid}, who could have written anything there`);
}

/** Where everybody may rename, the whole folder can be exchanged. */
function assertSafeParents(path: string): void {
  const parent = dirname(path);
  if (parent === path) return;
  const mode = look(parent, statSync)?.mode ?? 0;
  if ((mode & 0o002) !== 0 && (mode & STICKY) === 0) {
    throw unsafe(parent, "everybody can rename what is in it, and so put another folder there");
  }
  assertSafeParents(parent);
}

function look(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unsafe(path, errorMessage(error));
  }
}

function unsafe(path: string, reason: string): AppError {
  const advice = "make it yours alone, or set PAPAYU_HOME to a folder of your own";
  return new AppError(
    "ERR_HOME_UNSAFE",
    `Cannot use "${path}" as papa-yu's home: ${reason}; ${advice}`,
  );
}
