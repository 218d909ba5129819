import { release } from "node:os";
import { AppError } from "../../core/app-error.ts";
import { DEFAULT_LIMITS, hardDiskBytes, type Limits } from "../limits.ts";
import { hideMemory } from "../processes/processes.ts";
import { type CommandResult, type Enclosure, findOuterProgram, runCommand } from "../run/run.ts";
import {
  type BubblewrapFeatures,
  baseOptions,
  bubblewrapOptions,
  privateFolders,
  type SandboxRoom,
  type SandboxWorld,
} from "./bubblewrap.ts";
import { syscallFilter } from "./syscall-filter.ts";

export type { SandboxRoom } from "./bubblewrap.ts";
export { DOOR_URL, type SandboxDoor, throughDoor } from "./door.ts";
export { accountHome, homeFolders, listeningSockets, systemSecrets } from "./hidden-places.ts";
export { toolFolders } from "./tool-folders.ts";

/** What the owner wants: "auto" takes what there is, "bwrap" is a demand. */
export type SandboxMode = "auto" | "bwrap" | "none";

/** What commands can run in: `enclose` gives what to put around one. */
export type SandboxState =
  | {
      readonly kind: "bwrap";
      readonly limits: Limits;
      /** What it cannot keep from a command here, each as a short phrase. */
      readonly gaps: readonly string[];
      readonly enclose: (room: SandboxRoom) => Enclosure;
      /** What was seen to work in it, by names of whoever looked; it lives as long as it does. */
      readonly seen: Set<string>;
    }
  | { readonly kind: "none"; readonly reason: string; readonly limits?: Limits };

/**
 * Says what commands will run in; call it before each.
 *
 * @throws AppError ERR_SANDBOX when one is demanded and does not work, or keeps less than it promises
 */
export type Sandbox = () => Promise<SandboxState>;

/** Options of {@link createSandbox}. */
export interface SandboxOptions extends SandboxWorld {
  readonly mode: SandboxMode;
  /** Default: those of a configuration that says nothing. */
  readonly limits?: Limits;
}

const PROBE_TIMEOUT_MS = 5000;

/** A sandbox that is tried out at its first use. Success is remembered; a failure may be fixed. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { mode, limits = DEFAULT_LIMITS } = options;
  let working: SandboxState | undefined;
  return async () => {
    if (working) return working;
    hideMemory(); // without a sandbox a command is another program of the same user
    if (mode === "none") return { kind: "none", reason: "switched off", limits };
    const found = await tryOut(options);
    if (mode === "bwrap") assertWhole(found);
    if (!found.works) return { kind: "none", reason: found.reason, limits };
    const { program, filter, features } = found;
    const folders = privateFolders(options);
    const room = { ...options, features, folderBytes: hardDiskBytes(limits) };
    working = {
      kind: "bwrap",
      limits,
      seen: new Set(),
      gaps: found.gaps.map(({ what }) => what),
      enclose: (asked) => ({
        toArgv: () => [program, ...filterOptions(filter), ...bubblewrapOptions(asked, room), "--"],
        ...(filter && { stdin: filter }),
        privateFolders: folders,
        countsOwnProcesses: COUNTS_BY_NAMESPACE,
      }),
    };
    return working;
  };
}

/** Since Linux 5.14 a limit of processes that is set in a user namespace counts what is in it. */
const COUNTS_BY_NAMESPACE = isKernelSince(5, 14);

function isKernelSince(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = release().split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Something that the sandbox cannot keep from a command on this machine. */
interface Gap {
  readonly what: string;
  /** A sandbox that is demanded is none without it. */
  readonly isEssential: boolean;
}

interface Working {
  readonly works: true;
  readonly program: string;
  readonly features: BubblewrapFeatures;
  readonly filter: Uint8Array | undefined;
  readonly gaps: readonly Gap[];
}

type Found = Working | { readonly works: false; readonly reason: string };

async function tryOut({ env, workspaces = [] }: SandboxWorld): Promise<Found> {
  if (process.platform !== "linux") return failed("bubblewrap needs Linux");
  const program = findOuterProgram("bwrap", env, workspaces);
  if (!program) return failed("bubblewrap is not installed");
  const wanted = syscallFilter();
  const newest = wanted && (await lookInside(program, env, NEWEST, wanted));
  if (newest?.exitCode === 0) {
    const gaps = findGaps(newest.output, NEWEST);
    return { works: true, program, features: NEWEST, filter: wanted, gaps };
  }
  const features = await readFeatures(program, env);
  const filtered = wanted && (await lookInside(program, env, features, wanted));
  const filter = filtered?.exitCode === 0 ? wanted : undefined;
  const { exitCode, output } =
    filter && filtered ? filtered : await lookInside(program, env, features, undefined);
  if (exitCode !== 0)
    return failed(`bubblewrap does not work here: ${output.trim() || "no answer"}`);
  return { works: true, program, features, filter, gaps: findGaps(output, features) };
}

/** What is tried first: one that knows all of it need not be asked. */
const NEWEST: BubblewrapFeatures = { size: true, disableUserns: true };

async function readFeatures(
  program: string,
  env: SandboxWorld["env"],
): Promise<BubblewrapFeatures> {
  const { output: help } = await run([program, "--help"], env);
  return { size: help.includes("--size "), disableUserns: help.includes("--disable-userns") };
}

function lookInside(
  program: string,
  env: SandboxWorld["env"],
  features: BubblewrapFeatures,
  filter: Uint8Array | undefined,
): Promise<CommandResult> {
  const sized = features.size ? ["--size", "65536", "--tmpfs", "/tmp"] : [];
  const options = [...baseOptions(features), ...sized, "--unshare-net", "--"];
  return run(["/bin/sh", "-c", LOOK_AROUND], env, {
    toArgv: () => [program, ...filterOptions(filter), ...options],
    ...(filter && { stdin: filter }),
    privateFolders: [],
    countsOwnProcesses: false,
  });
}

function filterOptions(filter: Uint8Array | undefined): readonly string[] {
  return filter ? ["--seccomp", "0"] : [];
}

/** What can be seen from inside without any program but a shell; opens, but never writes. */
const LOOK_AROUND = [
  'while read -r name value rest; do echo "$name $value"; done </proc/self/status',
  "(: >/proc/sys/kernel/hostname) && echo settings",
  "(: </dev/tty) && echo terminal",
  "while read -r name value; do echo route; done </proc/net/route",
  "for each in /proc/[0-9]*; do echo process; done",
  "exit 0",
].join("; ");

/** The shell, what runs it, and bubblewrap. */
const OWN_PROCESSES = 4;

function findGaps(seen: string, { size, disableUserns }: BubblewrapFeatures): readonly Gap[] {
  const lines = seen.split("\n");
  const has = (line: string) => lines.includes(line);
  const count = (line: string) => lines.filter((each) => each === line).length;
  const isFiltered = has("Seccomp: 2");
  const gaps: readonly (readonly [what: string, isThere: boolean, isEssential: boolean])[] = [
    ["capabilities are not dropped", !/^CapEff: 0+$/m.test(seen), true],
    ["setuid programs gain rights", !has("NoNewPrivs: 1"), true],
    ["settings of the machine can be written", has("settings"), true],
    ["there is a terminal", has("terminal"), true],
    ["there is a network", count("route") > 1, true], // the first line is a heading
    ["other processes can be seen", count("process") > OWN_PROCESSES, true],
    ["new namespaces can be made", !isFiltered && !disableUserns, true],
    ["system calls are not filtered", !isFiltered, false],
    ["private folders are bounded only by a watcher: bubblewrap is too old", !size, false],
  ];
  return gaps.flatMap(([what, isThere, isEssential]) => (isThere ? [{ what, isEssential }] : []));
}

function run(
  argv: readonly string[],
  env: SandboxWorld["env"],
  sandbox?: Enclosure,
): Promise<CommandResult> {
  return runCommand({
    argv,
    cwd: "/",
    env,
    timeoutMs: PROBE_TIMEOUT_MS,
    signal: new AbortController().signal, // the time-out is short
    maxOutputBytes: 16 * 1024,
    ...(sandbox && { sandbox }),
  });
}

function failed(reason: string): Found {
  return { works: false, reason };
}

function assertWhole(found: Found): void {
  const lack = found.works ? found.gaps.find(({ isEssential }) => isEssential)?.what : found.reason;
  if (lack === undefined) return;
  const reason = found.works ? `in this one ${lack}` : lack;
  const what = `Cannot run checks: security.sandbox is "bwrap", but ${reason}`;
  throw new AppError("ERR_SANDBOX", `${what}; install bubblewrap, or set it to "auto"`);
}
