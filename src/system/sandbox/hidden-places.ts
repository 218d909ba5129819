import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { listOrEmpty, readOrEmpty } from "../read-or-empty.ts";
import { realPath } from "../run/run.ts";

/** Where people's own files lie by custom; all of them are emptied, for every user. */
const HOME_ROOTS: readonly string[] = ["/home", "/root", "/var/home"];
/** The first id that is given to a person. */
const FIRST_PERSON = 1000;
const NOBODY = 65_534;
/** A home that is one of these is a system folder that a service account was given. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(
  "/ /bin /boot /dev /etc /lib /lib64 /nix /opt /proc /sbin /sys /usr /var".split(" "),
);

/**
 * Home folders: what HOME says, what the account says (the runtime repeats HOME there), and
 * those of all other people. Real paths that exist.
 */
export function homeFolders(home: string | undefined, accounts = "/etc/passwd"): readonly string[] {
  const named = [home ?? homedir(), ...HOME_ROOTS, ...accountHomes(accounts)];
  const real = named.filter((path) => path.startsWith("/")).map(realPath);
  return [...new Set(real)].filter((path) => !SYSTEM_FOLDERS.has(path) && existsSync(path));
}

/** The home that the account has, regardless of HOME; undefined where it is not listed. */
export function accountHome(accounts = "/etc/passwd"): string | undefined {
  return readAccounts(accounts).find(({ uid }) => uid === process.getuid?.())?.home;
}

function accountHomes(accounts: string): readonly string[] {
  const own = process.getuid?.();
  const isPerson = (uid: number) =>
    uid === 0 || uid === own || (uid >= FIRST_PERSON && uid !== NOBODY);
  return readAccounts(accounts).flatMap(({ uid, home }) => (isPerson(uid) ? [home] : []));
}

function readAccounts(path: string) {
  return readOrEmpty(path)
    .split("\n")
    .flatMap((line) => {
      const [, , id = "", , , home = ""] = line.split(":");
      return id === "" ? [] : [{ uid: Number(id), home: decode(home) }];
    });
}

/** What was read byte for byte, as the name that it is. */
function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** What only root may read is in reach of a sandbox that root started, and no check needs it. */
const SYSTEM_SECRETS: readonly string[] =
  `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
  /etc/krb5.keytab /etc/wireguard /etc/openvpn /etc/ppp /etc/kubernetes
  /etc/NetworkManager/system-connections
  /var/spool /var/mail /var/log /var/backups /var/lib/docker /var/lib/containerd /var/lib/containers
  /var/lib/kubelet /var/lib/systemd/coredump /sys/firmware /sys/kernel/debug /sys/kernel/tracing
  /sys/devices/virtual/powercap`.split(/\s+/);

/** Files and folders of the system that hold secrets or tell of the whole machine. */
export function systemSecrets(): readonly string[] {
  const hostKeys = listOrEmpty("/etc/ssh").filter((name) => name.endsWith("_key"));
  const all = [...SYSTEM_SECRETS, ...hostKeys.map((name) => join("/etc/ssh", name))];
  return [...new Set(all.map(realPath))].filter(existsSync);
}

/** A name that is too long for the kernel is bound by way of its folder's descriptor, which is closed soon. */
const OPEN_FOLDER = /^\/(?:proc\/(?:self|thread-self|\d+)|dev)\/fd\/\d+\//;

/**
 * Doors of programs that run now: a read-only disk keeps nobody from connecting to them. The
 * kernel tells each by the name that it was bound to, which may be relative to a folder that only
 * the program knows, or no longer the one in use: some are bound aside and put in place.
 */
export function listeningSockets(
  roots: readonly string[] = [],
  table = "/proc/net/unix",
): readonly string[] {
  const names = readOrEmpty(table)
    .split("\n")
    .flatMap((line) => /^\S+: (?:\S+ +){6}([^@].*)$/.exec(line)?.[1] ?? [])
    .map(decode)
    .map((name) => name.replace(OPEN_FOLDER, ""));
  const [absolute, relative] = [
    names.filter(isAbsolute),
    names.filter((each) => !isAbsolute(each)),
  ];
  const folders = relative.length === 0 ? [] : [...new Set([...roots, ...workingFolders()])];
  const paths = [
    ...absolute.flatMap((path) => (existsSync(path) ? [path] : besides(path))),
    ...relative.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return [...new Set(paths)].filter(isSocket);
}

function besides(path: string): readonly string[] {
  return listOrEmpty(dirname(path)).map((name) => join(dirname(path), name));
}

/** Where the programs are that may be asked. */
function workingFolders(): readonly string[] {
  const ids = listOrEmpty("/proc").filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      return [readlinkSync(`/proc/${id}/cwd`)];
    } catch {
      return []; // gone, or somebody else's
    }
  });
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false; // of another root folder, or gone
  }
}
