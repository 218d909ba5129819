import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { firstOf } from "../../core/few.ts";
import { readOrEmpty } from "../read-or-empty.ts";
import { type Attempt, codeOf, reached, refused, untried } from "./attempt.ts";
import type { Bait } from "./bait.ts";
import { kernelCall } from "./kernel-call.ts";
import { findCapability, findNewPrivileges, tryNewNamespace, tryToSetUserId } from "./rights.ts";

/** Tries to reach one thing. None of them writes, but into the bait; an open for writing is closed at once. */
export type Try = (bait: Bait) => Promise<Attempt> | Attempt;

/** Every attempt by its name; they run inside of the sandbox and, to see that they can succeed, outside. */
export const ATTEMPTS: Readonly<Record<string, Try>> = {
  "network: a service of this machine": ({ port }) => connectTo({ host: "127.0.0.1", port }),
  "network: an interface to others": findInterface,
  "network: sockets to a hypervisor": () => call("socket", [AF_VSOCK, 1, 0]),
  "sockets: an abstract one": ({ abstractSocket }) => connectTo({ path: `\0${abstractSocket}` }),
  "sockets: one in /tmp": ({ socketInTmp }) => connectTo({ path: socketInTmp }),
  "sockets: one in the workspace": ({ socketInWorkspace }) =>
    connectTo({ path: socketInWorkspace }),
  "sockets: D-Bus, agents, containers": ({ doors }) => firstReached(doors.map(connectToSocket)),
  "files: beside the workspace": ({ sibling }) => tryToOpen([sibling], constants.O_WRONLY),
  "files: .git and .papa-yu": ({ kept }) => tryToOpen(kept, constants.O_WRONLY),
  "files: mounts that can be written to": findWritableMount,
  "files: the system": ({ privateFolders }) => findWritable(listTree("/", 2, privateFolders)),
  "files: secrets of the system": ({ systemSecrets }) => findReadable(systemSecrets),
  "files: papa-yu's own": ({ own }) => findReadable(own),
  "files: other workspaces": ({ otherWorkspace }) => findReadable([otherWorkspace]),
  "files: the home of HOME": ({ home }) => findReadable(home),
  "files: the home of the account": ({ accountHome }) => findReadable(accountHome),
  "files: homes of other people": ({ otherHomes }) => findReadable(otherHomes),
  "kernel: /proc/sys": () => findWritable(listTree("/proc/sys", 6)),
  "kernel: /sys": () => findWritable(listTree("/sys", 4)),
  "kernel: the machine's memory and log": () => tryToOpen(PROC_FILES, constants.O_RDONLY),
  "kernel: the rest of /proc": () =>
    findWritable(listTree("/proc", 2, ["/proc/sys"]).filter(isNoProcess)),
  "kernel: keys of the session": () => call("keyctl", [KEYCTL_CAPABILITIES, 0, 0]),
  "kernel: its log": () => call("syslog", [SYSLOG_ACTION_SIZE_BUFFER, 0, 0]),
  "kernel: rings that pass every filter": () => call("io_uring_setup", [0, 0]),
  "processes: seen": ({ pid, secret }) => findSecret(pid, secret, "cmdline"),
  "processes: their environment": ({ pid, secret }) => findSecret(pid, secret, "environ"),
  "processes: their memory": ({ pid }) => tryToOpen([`/proc/${pid}/mem`], constants.O_RDONLY),
  "processes: signals": ({ pid }) => call("kill", [pid, 0]),
  "processes: debugging": ({ pid }) => call("ptrace", [PTRACE_SEIZE, pid, 0, 0]),
  "rights: capabilities": findCapability,
  "rights: setuid programs": findNewPrivileges,
  "rights: leaving setuid programs behind": tryToSetUserId,
  "rights: new namespaces": tryNewNamespace,
  "terminal: typing into one": () => typeIntoTerminal(),
  "terminal: its own": () => tryToOpen(["/dev/tty"], constants.O_RDONLY),
  "devices: beyond the harmless ones": findDevice,
};

const AF_VSOCK = 40;
const KEYCTL_CAPABILITIES = 31;
const SYSLOG_ACTION_SIZE_BUFFER = 10;
const PTRACE_SEIZE = 0x4206;
const TIOCSTI = 0x5412;
const EPERM = 1;
const EFAULT = 14;

const PROC_FILES =
  "kcore kmsg kallsyms keys key-users timer_list sysrq-trigger slabinfo vmallocinfo"
    .split(" ")
    .map((name) => `/proc/${name}`);

const HARMLESS = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|pts\/.*|stdin|stdout|stderr)$/;

type Door = { readonly host: string; readonly port: number } | { readonly path: string };

const CONNECT_MS = 2000;

function connectTo(door: Door): Promise<Attempt> {
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const socket = connect(door);
  const where = "path" in door ? door.path.replace("\0", "@") : `${door.host}:${door.port}`;
  socket.setTimeout(CONNECT_MS, () => resolve(refused("no answer")));
  socket.once("connect", () => resolve(reached(where)));
  socket.once("error", (error) => resolve(refused(codeOf(error))));
  return promise.finally(() => socket.destroy());
}

function connectToSocket(path: string): Promise<Attempt> {
  return connectTo({ path });
}

async function firstReached(attempts: readonly Promise<Attempt>[]): Promise<Attempt> {
  const all = await Promise.all(attempts);
  const open = all.find(({ outcome }) => outcome === "reached");
  return open ?? (all.length === 0 ? untried("none is there") : refused("none answers"));
}

function findInterface(): Attempt {
  const others = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.some(({ internal }) => !internal) ? [name] : [],
  );
  return others.length > 0 ? reached(others.join(", ")) : refused("only a loopback");
}

function tryToOpen(paths: readonly string[], flags: number): Attempt {
  const reasons: string[] = [];
  for (const path of paths) {
    try {
      closeSync(openSync(path, flags | constants.O_NONBLOCK | constants.O_NOCTTY));
      return reached(path);
    } catch (error) {
      reasons.push(codeOf(error));
    }
  }
  return refused([...new Set(reasons)].join(", "));
}

/** By what the kernel says of the right to write, so that nothing is opened that minds it. */
function findWritable(paths: readonly string[]): Attempt {
  const masked = statSync("/dev/null").rdev; // takes everything, and covers what is hidden
  for (const path of paths) {
    try {
      accessSync(path, constants.W_OK);
      if (statSync(path).rdev !== masked) return reached(path);
    } catch {
      // as it should be
    }
  }
  return refused(`none of ${paths.length} can be written`);
}

/** Something with contents: what is masked reads as empty. */
function findReadable(paths: readonly string[]): Attempt {
  for (const path of paths) {
    try {
      const isFolder = statSync(path).isDirectory();
      if (isFolder ? readdirSync(path).length > 0 : readFileSync(path).length > 0)
        return reached(path);
    } catch {
      // as it should be
    }
  }
  if (paths.length === 0) return untried("there is nothing of that kind");
  return refused(`none of ${paths.length} can be read`);
}

/** Up to a depth; links are not followed, and neither are other trees. */
function listTree(root: string, depth: number, without: readonly string[] = []): readonly string[] {
  const found: string[] = [];
  const skipped = new Set([...without, "/proc", "/sys", "/dev", "/home", "/root"]);
  const visit = (folder: string, left: number) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() || skipped.has(path)) continue;
      found.push(path);
      if (entry.isDirectory() && left > 1) visit(path, left - 1);
    }
  };
  visit(root, depth);
  return found;
}

/** A command may change itself. */
function isNoProcess(path: string): boolean {
  return !/^\/proc\/\d+(?:\/|$)/.test(path);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Every mount that is not read-only, but those that a command is given. */
function findWritableMount({ workspace, cache, privateFolders }: Bait): Attempt {
  const given = new Set([workspace, cache, ...privateFolders, "/proc", "/dev/pts"]);
  const mounts = new Map<string, string>();
  for (const line of readOrEmpty("/proc/self/mountinfo").split("\n")) {
    const [, , , source = "", path = "", options = ""] = line.split(" ");
    mounts.set(path, source === "/null" ? "" : options); // the last one lies above the others
  }
  const isOpen = ([path, options]: readonly [string, string]) =>
    options.split(",").includes("rw") && !given.has(path) && !HARMLESS.test(path) && path !== "";
  const open = [...mounts].filter(isOpen).map(([path]) => path);
  return open.length > 0 ? reached(open.join(", ")) : refused("only what is given");
}

function findSecret(pid: number, secret: string, file: string): Attempt {
  // Its number may be another one inside, so all are looked at.
  const ids = [String(pid), ...entriesOf("/proc").map(({ name }) => name)].filter((id) =>
    /^\d+$/.test(id),
  );
  const owner = ids.find((id) => readOrEmpty(`/proc/${id}/${file}`).includes(secret));
  return owner ? reached(`process ${owner}`) : refused(`in none of ${new Set(ids).size} processes`);
}

function call(name: Parameters<typeof kernelCall>[0], args: readonly number[]): Attempt {
  const result = kernelCall(name, args);
  if (result === undefined) return untried("not known on this kind of machine");
  // A pointer to nowhere was looked at: the call itself was allowed.
  const isAllowed = result >= 0 || result === -EFAULT;
  return isAllowed ? reached(`${name}() is allowed`) : refused(`${name}() fails with ${-result}`);
}

/** On something that is no terminal a filter answers "not permitted", the kernel "no terminal". */
function typeIntoTerminal(): Attempt {
  const result = kernelCall("ioctl", [0, TIOCSTI, 0]);
  if (result === undefined) return untried("not known on this kind of machine");
  return result === -EPERM
    ? refused("ioctl() is not permitted")
    : reached("ioctl() is let through");
}

function findDevice(): Attempt {
  const devices = listDevices("/dev", 3).filter((path) => !HARMLESS.test(path));
  const open = devices.filter((path) => {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
  return open.length > 0
    ? reached(
        firstOf(open, 3)
          .lines(String, (left) => `and ${left} more`)
          .join(", "),
      )
    : refused("none");
}

function listDevices(folder: string, depth: number): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 1 ? listDevices(path, depth - 1) : [];
    return entry.isCharacterDevice() || entry.isBlockDevice() ? [path] : [];
  });
}
