import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { childEnvironment } from "../child-environment.ts";
import { isInside, pathInRealFolder, realPath } from "../run/run.ts";
import { homeFolders, listeningSockets, systemSecrets } from "./hidden-places.ts";
import { toolFolders, toolSecrets } from "./tool-folders.ts";

/** What one command may reach, besides the system and the tools. */
export interface SandboxRoom {
  /** The command's program, as it will be called. */
  readonly program: string;
  /** The folder it works in, which it may write to. */
  readonly root: string;
  /** Where in `root` it starts; default: `root`. */
  readonly cwd?: string;
  /** Parts of `root` that it may only read. */
  readonly readOnly: readonly string[];
  /** Parts of those that it may write to after all. */
  readonly writable: readonly string[];
  readonly network: boolean;
  /** Folders that nobody inside may see. */
  readonly hidden?: readonly string[];
  /** Sockets of papa-yu's own that it may connect to. */
  readonly sockets?: readonly string[];
}

/** What the sandbox has to know of the machine. */
export interface SandboxWorld {
  /** The daemon's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files and folders that nobody inside may see: the daemon's own. */
  readonly hidden: readonly string[];
  /** The folders of all workspaces, of which a command sees its own. */
  readonly workspaces?: readonly string[];
}

/** What the installed bubblewrap can do; older ones lack some of it. */
export interface BubblewrapFeatures {
  /** It can bound the private folders. */
  readonly size: boolean;
  /** It can forbid further user namespaces. */
  readonly disableUserns: boolean;
}

/**
 * What every sandbox has: the disk read-only, namespaces of its own, no capabilities (with
 * them root could make the disk writable again), no terminal, and an end when papa-yu ends,
 * however. The filter of system calls comes in by standard input.
 */
export function baseOptions({ disableUserns }: BubblewrapFeatures): readonly string[] {
  const inProc = (names: readonly string[]) =>
    names.map((name) => `/proc/${name}`).filter(existsSync);
  const hidden = inProc(PROC_HIDDEN);
  return [
    ...BASE_OPTIONS,
    ...(disableUserns ? ["--disable-userns"] : []),
    ...inProc(PROC_READ_ONLY).flatMap((path) => mountOptions(path, "shown", [])),
    ...hidden.flatMap((path) => mountOptions(path, isFolder(path) ? "barred" : "unreadable", [])),
    ...hidden.filter(isFolder).flatMap((path) => ["--remount-ro", path]),
  ];
}

const BASE_OPTIONS: readonly string[] =
  `--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL
  --new-session --die-with-parent --ro-bind / / --dev /dev --proc /proc`.split(/\s+/);

/** Settings of the whole machine, which root in a user namespace could still write. */
const PROC_READ_ONLY: readonly string[] =
  "bus driver fs irq mtrr pressure sys sysrq-trigger tty".split(" ");
/** What tells of the whole machine, or of its memory. */
const PROC_HIDDEN: readonly string[] =
  `acpi asound kcore keys key-users kmsg kallsyms kpagecgroup kpagecount kpageflags latency_stats
  sched_debug scsi slabinfo timer_list timer_stats vmallocinfo`.split(/\s+/);

/** Emptied for everybody: they hold other programs' files, and sockets that lead out. */
const SHARED_FOLDERS: readonly string[] = ["/tmp", "/var/tmp", "/run", "/dev/shm"];

/** `empty` folders can be written to and vanish; `barred` ones are empty and stay so. */
type Mount = "empty" | "barred" | "masked" | "unreadable" | "shown" | "writable";

/** How a command is given its room. */
export interface RoomOptions extends SandboxWorld {
  readonly features: BubblewrapFeatures;
  /** How much each private folder takes at most; bubblewrap has to know `size`. */
  readonly folderBytes: number;
}

/** The options with which bubblewrap gives a command its room. */
export function bubblewrapOptions(room: SandboxRoom, options: RoomOptions): readonly string[] {
  const { features, folderBytes } = options;
  const size = features.size ? ["--size", String(folderBytes)] : [];
  const mounts = [...planMounts(room, options)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const barred = mounts.filter(([, mount]) => mount === "barred").map(([path]) => path);
  return [
    ...baseOptions(features),
    ...keptUser(),
    ...(room.network ? [] : ["--unshare-net"]),
    ...mounts.flatMap(([path, mount]) => mountOptions(path, mount, size)), // parents come first
    ...["/dev", ...barred].flatMap((path) => ["--remount-ro", path]), // when all are in them
    ...["TMPDIR", "TMP", "TEMP"].flatMap((name) => ["--setenv", name, "/tmp"]),
    "--unsetenv",
    "XDG_RUNTIME_DIR",
    "--chdir",
    room.cwd ?? room.root,
  ];
}

/** Around an overlay this user is root; inside, the command is itself again. */
function keptUser(): readonly string[] {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || gid === undefined) return [];
  return ["--uid", String(uid), "--gid", String(gid)];
}

/** The folders that a command may write to without leaving anything behind. */
export function privateFolders({ env }: SandboxWorld): readonly string[] {
  const shared = SHARED_FOLDERS.map(realPath).filter(existsSync);
  return [...new Set([...shared, ...homeFolders(childEnvironment(env)["HOME"])])];
}

/** What is mounted where; the nearest folder above a path decides about it. */
function planMounts(room: SandboxRoom, world: SandboxWorld): ReadonlyMap<string, Mount> {
  const env = childEnvironment(world.env);
  const empty = privateFolders(world);
  const home = realPath(env["HOME"] ?? homedir());
  const isEmptied = (path: string) => empty.some((folder) => isInside(path, folder));

  const mounts = new Map<string, Mount>();
  // Most of these are nowhere: what a real path costs is paid for the others alone.
  const needed = [
    ...new Set([...toolFolders(env, home), ...programFolder(room), ...systemFiles(room)]),
  ].filter(existsSync);
  for (const path of [...needed, ...repositoryAround(room.root, isEmptied)].map(pathInRealFolder)) {
    const isOutside = !isInside(path, room.root);
    if (isOutside && isEmptied(path) && existsSync(path)) mounts.set(path, "shown");
  }
  for (const path of empty) mounts.set(path, "empty"); // whatever a variable names
  for (const path of otherWorkspaces(room, world)) mounts.set(path, "barred");
  for (const path of room.hidden ?? []) mounts.set(path, "barred");
  for (const path of systemSecrets()) mounts.set(path, isFolder(path) ? "barred" : "masked");
  mounts.set(room.root, "writable");
  for (const path of room.readOnly.filter(isItself)) mounts.set(path, "shown");
  for (const path of room.writable) mounts.set(path, "writable");
  for (const path of [...world.hidden, ...toolSecrets(env, home)].filter(existsSync)) {
    // A tool's folder may be a link, in which it has another name.
    const shown = join(pathInRealFolder(dirname(path)), basename(path));
    for (const name of [realPath(path), shown]) {
      if (isVisible(name, mounts)) mounts.set(name, isFolder(path) ? "barred" : "masked");
    }
  }
  const doors = new Set(room.sockets?.map(pathInRealFolder));
  for (const path of doors) mounts.set(path, "writable");
  for (const path of listeningSockets([room.root]).map(pathInRealFolder)) {
    const isOwn = doors.has(path) || (room.network && isInside(path, room.root));
    if (!isOwn && isVisible(path, mounts)) mounts.set(path, "masked");
  }
  return mounts;
}

function mountOptions(path: string, mount: Mount, size: readonly string[]): readonly string[] {
  switch (mount) {
    case "empty":
    case "barred":
      return [...size, "--tmpfs", path];
    case "masked":
      return ["--dev-bind", "/dev/null", path];
    case "unreadable":
      return ["--ro-bind", "/dev/null", path]; // a device where none is allowed
    case "shown":
      return ["--ro-bind-try", path, path];
    case "writable":
      return ["--bind", path, path];
    default:
      return mount satisfies never;
  }
}

function programFolder({ program }: SandboxRoom): readonly string[] {
  return program.startsWith("/") ? [dirname(program), dirname(realPath(program))] : [];
}

/** What an emptied /run is missed for: programs on NixOS, and names of hosts. */
function systemFiles({ network }: SandboxRoom): readonly string[] {
  return ["/run/current-system", ...(network ? [realPath("/etc/resolv.conf")] : [])];
}

/** A package of a monorepo needs what is above it, up to its repository. */
function repositoryAround(root: string, isEmptied: (path: string) => boolean): readonly string[] {
  const folder = findRepository(root);
  return folder !== undefined && isEmptied(folder) ? [folder] : [];
}

function findRepository(root: string): string | undefined {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return undefined;
}

/** Neither what holds this one, nor what it holds, nor the other packages of its repository. */
function otherWorkspaces({ root }: SandboxRoom, { workspaces = [] }: SandboxWorld) {
  const repository = findRepository(root);
  return workspaces.map(realPath).filter((path) => {
    const isNear = path === root || isInside(path, root) || isInside(root, path);
    const isSibling = repository !== undefined && isInside(path, repository);
    return !isNear && !isSibling && existsSync(path);
  });
}

function isVisible(path: string, mounts: ReadonlyMap<string, Mount>): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const mount = mounts.get(at);
    if (mount !== undefined) return mount === "shown" || mount === "writable";
  }
  return true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A link leads elsewhere, and may lead to what is not there in the sandbox. */
function isItself(path: string): boolean {
  return existsSync(path) && realPath(path) === path;
}
