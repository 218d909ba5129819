import { expect } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { childProgram } from "../support/child-program.ts";
import { tellFigures } from "../support/figures.ts";
import { tempDir } from "../support/temp.ts";
import { steppedSources } from "./stepped-sources.ts";

/** To be made where a test file begins. */
const CHILD = await childProgram(new URL("./crash-child.ts", import.meta.url), steppedSources);
const STEPPED_FS = Bun.fileURLToPath(new URL("./stepped-fs.ts", import.meta.url));

/** `CRASH_STEPS=all bun test tests/transaction/crash.test.ts` leaves no step out and prints them. */
export const ALL = process.env["CRASH_STEPS"] === "all";
const PARALLEL = 4;

/** How a process came to its end. */
export interface End {
  /** The call after which it was killed; undefined when it came to its end. */
  readonly step: string | undefined;
}

/** Runs a task in a process of its own, to its end or to where `env` says that it is killed. */
export async function runChild(
  root: string,
  task: string,
  env: Record<string, string>,
): Promise<End> {
  const argv = [process.execPath, "--preload", STEPPED_FS, CHILD, root, task];
  const options = { stdout: "pipe", stderr: "inherit", env: { ...process.env, ...env } } as const;
  const child = Bun.spawn(argv, options);
  const output = await child.stdout.text();
  await child.exited;
  if (child.signalCode === "SIGKILL") return { step: output };
  expect(child.exitCode).toBe(0);
  return { step: undefined };
}

/** What was left at one place. */
export interface Crash extends End {
  readonly outcome: string;
}

/** What is ended in the middle, again and again. */
export interface Sweep {
  readonly title: string;
  /** After which calls: the first, and every one so far behind the last. */
  readonly stride: number;
  readonly task: string;
  readonly prepare: (root: string) => void;
  /** Recovers what was left, holds it against what may be, and says what it was. */
  readonly judge: (root: string) => string;
}

/**
 * A process is killed after each call and what it leaves is judged; in the short form one process
 * goes to its end, and what is judged are copies of what it would have left.
 */
export async function sweep(asked: Sweep): Promise<readonly Crash[]> {
  const killed = ALL ? await killAtEach(asked) : await copyAtEach(asked);
  if (ALL) console.log(renderTable(asked.title, killed));
  tellFigures(asked.title, { kills: killed.length });
  return killed;
}

async function killAtEach({ stride, task, prepare, judge }: Sweep): Promise<readonly Crash[]> {
  const crash = async (killAt: number): Promise<Crash> => {
    using dir = tempDir();
    prepare(dir.path);
    const end = await runChild(dir.path, task, { STOP_AFTER: `${killAt}` });
    if (task === "recover") {
      await runChild(dir.path, task, { STOP_AFTER: `${Math.ceil(killAt / 2)}` });
    }
    return { ...end, outcome: judge(dir.path) };
  };
  const crashes: Crash[] = [];
  for (
    let first = 1;
    crashes.at(-1)?.step !== undefined || first === 1;
    first += PARALLEL * stride
  ) {
    const numbers = Array.from({ length: PARALLEL }, (_, index) => first + index * stride);
    crashes.push(...(await Promise.all(numbers.map(crash))));
  }
  return crashes.filter(({ step }) => step !== undefined);
}

async function copyAtEach({ stride, task, prepare, judge }: Sweep): Promise<readonly Crash[]> {
  using dir = tempDir();
  const root = join(dir.path, "whole");
  const into = join(dir.path, "copies");
  mkdirSync(into);
  prepare(root);
  await runChild(root, task, { COPIES: JSON.stringify({ every: stride, root, into }) });
  rmSync(root, { recursive: true }); // else each of them is a copy of a workspace that is there
  const calls = readdirSync(into).filter((name) => !name.endsWith(".step"));
  return calls
    .toSorted((one, other) => Number(one) - Number(other))
    .map((call) => {
      const path = join(into, call);
      return { step: readFileSync(`${path}.step`, "utf8"), outcome: judge(path) };
    });
}

function renderTable(title: string, crashes: readonly Crash[]): string {
  const rows = crashes.map(({ step, outcome }, index) => {
    return `${`${index + 1}`.padStart(3)}  ${(step ?? "").padEnd(50)}  ${outcome}`;
  });
  return [`\nkill -9 in ${title}, then recover`, ...rows].join("\n");
}
