import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { childEnvironment } from "../child-environment.ts";
import { ownProgram } from "../own/programs.ts";
import { makeScratch } from "../processes/scratch.ts";
import { isInside, realPath } from "../run/run.ts";
import {
  accountHome,
  homeFolders,
  listeningSockets,
  systemSecrets,
  toolFolders,
} from "../sandbox/sandbox.ts";
import type { Bait } from "./bait.ts";

/** What the bait needs to know of the machine. */
export interface BaitOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The daemon's own files and folders. */
  readonly hidden: readonly string[];
  readonly bubblewrap: string;
}

/** Bait that is laid out, until it is disposed of. */
export interface LaidBait extends AsyncDisposable {
  readonly bait: Bait;
  /** Of the bait, to be hidden as the daemon's own are. */
  readonly hidden: readonly string[];
  /** Of the bait, to be hidden as every other workspace is. */
  readonly otherWorkspace: string;
}

const MAX_PER_HOME = 100;

/** Opens services, starts a process and writes files that only somebody from outside may reach. */
export async function layBait({ env, hidden, bubblewrap }: BaitOptions): Promise<LaidBait> {
  await using stack = new AsyncDisposableStack();
  const scratch = realPath(stack.use(makeScratch("probe")).path);
  const place = (name: string) => join(scratch, name);
  for (const name of ["ws/.git", "ws/.papa-yu/cache", "other", "own"]) {
    mkdirSync(place(name), { recursive: true });
  }
  const files = ["ws/.git/config", "ws/.papa-yu/journal", "beside", "other/note", "own/state"];
  for (const name of files) writeFileSync(place(name), "bait\n");

  const secret = crypto.randomUUID();
  const abstractSocket = `papayu-${secret}`;
  const [socketInTmp, socketInWorkspace] = [place("door"), place("ws/door")];
  const server = await listen({ host: "127.0.0.1", port: 0 });
  const doors = [`\0${abstractSocket}`, socketInTmp, socketInWorkspace];
  const servers = [server, ...(await Promise.all(doors.map((path) => listen({ path }))))];
  stack.defer(() => void servers.map((each) => each.close()));

  const child = Bun.spawn(["/bin/sh", "-c", `sleep 600; : ${secret}`], {
    env: { SECRET: secret },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  stack.defer(() => killGroup(child.pid));

  const ownHome = realPath(childEnvironment(env)["HOME"] ?? "/");
  const account = accountHome();
  const homes = homeFolders(ownHome);
  const inHome = (folder: string | undefined) =>
    folder === undefined ? [] : privateFiles(folder, env, [scratch]);
  const address = server.address();
  const bait: Bait = {
    workspace: place("ws"),
    cache: place("ws/.papa-yu/cache"),
    privateFolders: ["/tmp", "/var/tmp", "/run", "/dev/shm", ...homes].map(realPath),
    port: typeof address === "object" && address ? address.port : 0,
    abstractSocket,
    socketInTmp,
    socketInWorkspace,
    doors: listeningSockets().filter((path) => !isInside(path, scratch)),
    sibling: place("beside"),
    kept: [place("ws/.git/config"), place("ws/.papa-yu/journal")],
    otherWorkspace: place("other/note"),
    own: [place("own/state"), ...hidden.filter(existsSync)],
    systemSecrets: systemSecrets(),
    home: inHome(ownHome),
    accountHome: inHome(account),
    otherHomes: homes.filter((path) => path !== ownHome && path !== account).flatMap(inHome),
    pid: child.pid,
    secret,
    bubblewrap,
  };
  const laid = stack.move(); // until here a failure takes all of it away
  return {
    bait,
    hidden: [place("own")],
    otherWorkspace: place("other"),
    [Symbol.asyncDispose]: () => laid.disposeAsync(),
  };
}

type Address = { readonly host: string; readonly port: number } | { readonly path: string };

function listen(address: Address): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer((socket) => socket.on("error", () => {})); // the visitor goes first
  server.once("error", reject);
  server.listen(address, () => resolve(server));
  return promise;
}

function killGroup(leaderId: number): void {
  try {
    process.kill(-leaderId, "SIGKILL");
  } catch {
    // already gone
  }
}

/** What lies in a home and belongs to no tool; looked at, never changed. */
function privateFiles(
  home: string,
  env: BaitOptions["env"],
  without: readonly string[],
): readonly string[] {
  const all = [
    ...toolFolders(childEnvironment(env), home),
    ...without,
    realPath(process.execPath),
    ...ownProgram("probe-inside").readFrom,
  ];
  const shown = all.filter((path) => path !== "/");
  const isShown = (path: string) =>
    shown.some((each) => each === path || isInside(each, path) || isInside(path, each));
  return namesIn(home)
    .map((name) => join(home, name))
    .filter((path) => !isShown(path))
    .slice(0, MAX_PER_HOME);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
