import * as fs from "node:fs";
import { plugin } from "bun";
import type { NameSwap } from "../../src/system/rights/swap-names.ts";
import { steppedSources } from "./stepped-sources.ts";
import { isCommit, watchSyncs } from "./sync-watch.ts";

/**
 * To be loaded before the source code: counts the calls by which it changes the disk, to end the
 * process right after one or to make one fail. Every other call is the real one.
 */
export interface Trouble {
  /** Ends the process after this call, from 1. */
  readonly stopAfter?: number;
  /** Ends the process after the first call that is described with these words at the end. */
  readonly stopAt?: string;
  /** Only what changes a path below this folder is counted; without it everything. */
  readonly below?: string;
  /** Copies a folder after every so many calls, as an end right there would leave it. */
  readonly copies?: Copies;
  /** What ends it; without one no signal that it could catch. */
  readonly signal?: NodeJS.Signals;
  /** Makes this call fail before it does anything, from 1. */
  readonly failAt?: number;
  /** The error code of that failure, e.g. ENOSPC. */
  readonly code?: string;
  /** All later calls fail as well. */
  readonly forGood?: boolean;
}

/** What is copied, into a folder that is there; a copy is called by the number of its call. */
export interface Copies {
  readonly every: number;
  readonly root: string;
  readonly into: string;
}

let trouble: Trouble = {
  stopAfter: Number(process.env["STOP_AFTER"]),
  stopAt: process.env["STOP_AT"] ?? "nowhere",
  ...(process.env["STOP_BELOW"] !== undefined && { below: process.env["STOP_BELOW"] }),
  ...(process.env["COPIES"] !== undefined && { copies: JSON.parse(process.env["COPIES"]) }),
};
let calls = 0;
let last = "";
let syncs = watchSyncs(describe);

/** Begins to count from 1 again. */
export function makeTrouble(next: Trouble): void {
  trouble = next;
  calls = 0;
  syncs = watchSyncs(describe);
}

/** How many calls there were, what the one was that failed, and what got its name unsynced. */
export function readCalls(): {
  readonly calls: number;
  readonly failed: string;
  readonly unsynced: readonly string[];
} {
  return { calls, failed: last, unsynced: syncs.unsynced() };
}

const CHANGING: ReadonlySet<string> = new Set(
  `chmodSync fchmodSync fsync fsyncSync lchownSync linkSync mkdirSync openSync renameSync rmSync
  rmdirSync unlinkSync writeFileSync writeSync`.split(/\s+/),
);

type Call = (...args: readonly unknown[]) => unknown;

function counted(name: string, real: Function): Call {
  return (...args) => {
    if (!isCounted(name, args)) return Reflect.apply(real, fs, args);
    calls++;
    const { failAt = 0, forGood = false } = trouble;
    const words = describe(name, args);
    if (calls === failAt) last = words;
    if (calls === failAt || (forGood && failAt > 0 && calls > failAt)) return refuse(name, args);
    try {
      const result: unknown = Reflect.apply(real, fs, args);
      if (failAt > 0) syncs.note(name, args, result);
      return result;
    } finally {
      stopIfDue(words);
    }
  };
}

/** Counts a call of another kind that changes the disk. */
export function countCall(words: string): void {
  calls++;
  stopIfDue(words);
}

function stopIfDue(words: string): void {
  const { copies, stopAfter, stopAt } = trouble;
  if (copies !== undefined && calls % copies.every === 1 % copies.every) copy(copies, words);
  if (calls === stopAfter || (stopAt !== undefined && words.endsWith(stopAt))) stop(words);
}

/** Nothing else of this process runs meanwhile: a killed one would have left the same. */
function copy({ root, into }: Copies, step: string): void {
  const path = `${into}/${calls}`;
  if (!Bun.spawnSync(["cp", "-a", root, path]).success) throw new Error(`no copy of ${root}`);
  fs.writeFileSync(`${path}.step`, step);
}

/**
 * A sync changes nothing that a killed process leaves, but one that is not waited for has others
 * beside it; opening a file to read changes nothing at all.
 */
function isCounted(name: string, args: readonly unknown[]): boolean {
  return changes(name, args) && (trouble.below === undefined || isBelow(trouble.below, args));
}

function changes(name: string, [, flags]: readonly unknown[]): boolean {
  if (name === "fsyncSync") return trouble.failAt !== undefined;
  if (name !== "openSync") return true;
  if (typeof flags === "string") return /^[wa]/.test(flags);
  return (Number(flags) & fs.constants.O_WRONLY) !== 0;
}

/** The folder that a path begins with may be an open one. */
function isBelow(folder: string, [first, ...others]: readonly unknown[]): boolean {
  const paths = [typeof first === "number" ? readlink(first) : first, ...others];
  return paths.filter(isPath).some((path) => {
    const open = /^\/proc\/self\/fd\/(\d+)/.exec(path);
    const whole = open ? path.replace(open[0], readlink(Number(open[1]))) : path;
    return whole.startsWith(`${folder}/`);
  });
}

/** A call that gets a callback tells it there, as the real one would. */
function refuse(name: string, args: readonly unknown[]): void {
  const callback = args.at(-1);
  if (typeof callback !== "function") throw refusal(name);
  queueMicrotask(() => callback(refusal(name)));
}

function refusal(name: string): Error {
  const { code = "EIO" } = trouble;
  const message = `${code}: refused by the test, ${name.replace("Sync", "")} '/proc/self/fd/9/x'`;
  return Object.assign(new Error(message), { code });
}

function describe(name: string, args: readonly unknown[]): string {
  const [first, ...others] = args;
  const paths = [typeof first === "number" ? readlink(first) : first, ...others];
  const shown = paths.filter(isPath).map((path) =>
    path
      .replace(/^\/proc\/self\/fd\/\d+\//, "/")
      .replace(/^.*\/(?=\.papa-yu)|^.*\/(?=[^/]+$)/, "")
      .replaceAll(/tx_\w+/g, "TX")
      .replace(/[0-9a-f]{64}/, "SHA256"),
  );
  const end = isCommit(others) ? " committed" : "";
  return `${name.replace("Sync", "")} ${shown.join(" → ")}${end}`.trim();
}

function isPath(arg: unknown): arg is string {
  return typeof arg === "string" && arg.startsWith("/");
}

/** What an open file is called. */
function readlink(fd: number): string {
  return fs.readlinkSync(`/proc/self/fd/${fd}`);
}

function stop(step: string): void {
  fs.writeSync(1, step);
  const { signal = "SIGKILL" } = trouble;
  trouble = {}; // who lives on after a gentle one is left alone
  process.kill(process.pid, signal);
}

const steppedFs = Object.fromEntries(
  Object.entries(fs).map(([name, real]) => {
    const isWatched = CHANGING.has(name) && typeof real === "function";
    return [name, isWatched ? counted(name, real) : real];
  }),
);

/** Those of names that change places, whose paths are told as of a rename. */
function countNames(real: NameSwap): NameSwap {
  const both = (name: string, call: Function) => {
    const stepped = counted(name, call);
    return (one: string, other: string) => stepped(one, other) === true;
  };
  return {
    ...real,
    swap: both("swap", (one: string, other: string) => real.swap(one, other)),
    moveToFree: both("rename", (from: string, to: string) => real.moveToFree(from, to)),
  };
}

Object.assign(globalThis, { steppedFs: { ...steppedFs, countNames } });

await plugin(steppedSources);
