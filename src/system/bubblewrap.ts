import { existsSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { childEnvironment } from "./child-environment.ts";
import { toolFolders, toolSecrets } from "./tool-folders.ts";

/** What one command may reach, beside the system and the tools. */
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
}

/** What the sandbox has to know of the machine. */
export interface SandboxWorld {
  /** The daemon's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files and folders that nobody inside may see: the daemon's own. */
  readonly hidden: readonly string[];
}

/**
 * What every sandbox has: the disk read-only, namespaces of its own, no capabilities (with
 * them root could make the disk writable again), and an end when papa-yu ends, however.
 */
export const BASE_OPTIONS: readonly string[] =
  `--unshare-user --unshare-pid --unshare-ipc --unshare-uts --cap-drop ALL --die-with-parent
  --ro-bind / / --dev /dev --proc /proc`.split(/\s+/);

/** Emptied for everybody: they hold other programs' files, and sockets that lead out. */
const SHARED_FOLDERS: readonly string[] = ["/tmp", "/var/tmp", "/run"];

type Mount = "empty" | "masked" | "shown" | "writable";

/** The options with which bubblewrap gives a command its room. */
export function bubblewrapOptions(room: SandboxRoom, world: SandboxWorld): readonly string[] {
  const mounts = [...planMounts(room, world)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...BASE_OPTIONS,
    ...(room.network ? [] : ["--unshare-net"]),
    ...mounts.flatMap(([path, mount]) => mountOptions(path, mount)), // parents come first
    ...["TMPDIR", "TMP", "TEMP"].flatMap((name) => ["--setenv", name, "/tmp"]),
    "--unsetenv",
    "XDG_RUNTIME_DIR",
    "--chdir",
    room.cwd ?? room.root,
    "--",
  ];
}

/** What stands where; the nearest folder above a path decides about it. */
function planMounts(room: SandboxRoom, world: SandboxWorld): ReadonlyMap<string, Mount> {
  const env = childEnvironment(world.env);
  const home = realPath(env["HOME"] ?? userInfo().homedir);
  const homes = [home, realPath(userInfo().homedir)].filter((path) => path !== "/");
  const empty = [...new Set([...SHARED_FOLDERS.map(realPath), ...homes])].filter(existsSync);
  const isEmptied = (path: string) => empty.some((folder) => isInside(path, folder));

  const mounts = new Map<string, Mount>();
  const needed = [...toolFolders(env, home), ...programFolder(room), ...systemFiles(room)];
  for (const path of [...needed, ...repositoryAround(room.root, isEmptied)].map(standing)) {
    const isOutside = !isInside(path, room.root);
    if (isOutside && isEmptied(path) && existsSync(path)) mounts.set(path, "shown");
  }
  for (const path of empty) mounts.set(path, "empty"); // whatever a variable names
  mounts.set(room.root, "writable");
  for (const path of room.readOnly.filter(isItself)) mounts.set(path, "shown");
  for (const path of room.writable) mounts.set(path, "writable");
  for (const path of [...world.hidden, ...toolSecrets(env, home)].filter(existsSync)) {
    const mount = statSync(path).isDirectory() ? "empty" : "masked";
    mounts.set(realPath(path), mount);
    const shown = join(standing(dirname(path)), basename(path)); // in a tool's folder that is a link
    if (isEmptied(shown)) mounts.set(shown, mount);
  }
  return mounts;
}

function mountOptions(path: string, mount: Mount): readonly string[] {
  switch (mount) {
    case "empty":
      return ["--tmpfs", path];
    case "masked":
      return ["--dev-bind", "/dev/null", path];
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

/** A package of a monorepo needs what stands above it, up to its repository. */
function repositoryAround(root: string, isEmptied: (path: string) => boolean): readonly string[] {
  for (let folder = dirname(root); isEmptied(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return [folder];
  }
  return [];
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** A path whose folder is no link; it may be one itself, and is shown under that name. */
function standing(path: string): string {
  return join(realPath(dirname(path)), basename(path));
}

/** A link leads elsewhere, and may lead to what is not there in the sandbox. */
function isItself(path: string): boolean {
  return existsSync(path) && realPath(path) === path;
}

/** As given when it does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
