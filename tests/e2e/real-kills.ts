import { papayuProgram, SOURCE_MAIN } from "../support/papayu-program.ts";
import type { Sandbox } from "./papayu.ts";
import type { Disturbance } from "./real-disturbances.ts";

/** papa-yu itself is killed, again and again, while it checks and while it writes. */
export const KILLED: Disturbance = {
  how: "papa-yu is killed",
  script: "sleep 0.2; : MARK",
  at: "first",
  end: "passes",
};
/** So often for a command of one commit. */
export const KILLS = 5;

/**
 * papa-yu is killed behind the calls by which it writes, one place after the other. Files that a
 * recovery brought back are checked anew, so what is checked there is little.
 */
export const KILLED_AT_STEPS: Disturbance = {
  how: "papa-yu is killed at each step",
  script: 'test -n "$(ls)"',
  at: "alone",
  end: "passes",
};

/** Starts a command and kills it at some moment of its first `mostMs`: nobody clears up behind it. */
export async function killIn(sandbox: Sandbox, mostMs: number, ...args: string[]) {
  const argv = [process.execPath, papayuProgram(), ...args];
  const { dir: cwd, env } = sandbox;
  const child = Bun.spawn(argv, { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  await Promise.race([child.exited, Bun.sleep(Math.random() * mostMs)]);
  child.kill("SIGKILL");
  await child.exited;
}

/** A yes that is about to be given, and what is held of it against each kill. */
export interface Killing {
  readonly sandbox: Sandbox;
  /** The workspace. */
  readonly folder: string;
  /** The words of the command that applies. */
  readonly apply: readonly string[];
  /** How long that takes at most. */
  readonly lifeMs: number;
  /** Recovers what a kill left, holds it against what may be, and says whether the commit is there. */
  readonly isAfter: () => Promise<boolean>;
  readonly steps: string[];
  readonly faults: string[];
}

/** Kills what applies as the disturbance asks; true: that made the commit, and it is undone. */
export async function isDoneUnderKills(
  disturbance: Disturbance | undefined,
  killing: Killing,
): Promise<boolean> {
  if (disturbance === KILLED) return await killAtAnyMoment(killing);
  if (disturbance !== KILLED_AT_STEPS) return false;
  const { sandbox, folder, apply, isAfter, steps, faults } = killing;
  const acts = [
    [apply, isAfter],
    [["undo", "-w", "work"], async () => !(await isAfter())],
  ] as const;
  for (const [args, isDone] of acts) {
    const { at, isDone: isMade, said } = await killAtSteps(sandbox, folder, args, isDone);
    steps.push(`${args[0]} killed at ${at.length} steps, the last ${at.at(-1)}`);
    if (!isMade) faults.push(`it ended, and was not made: ${said}`);
  }
  return true;
}

async function killAtAnyMoment({
  sandbox,
  apply,
  lifeMs,
  isAfter,
  steps,
  faults,
}: Killing): Promise<boolean> {
  for (let kill = 1; kill <= KILLS; kill++) {
    await killIn(sandbox, lifeMs, ...apply);
    if (!(await isAfter())) {
      steps.push("killed before it");
      continue;
    }
    steps.push(`killed behind the commit, the ${kill}. time`);
    const undone = await sandbox.json("undo", "-w", "work");
    if (!undone.report["ok"]) faults.push(`no undo: ${JSON.stringify(undone.report)}`);
    return true;
  }
  return false;
}

/** Where a command was killed, and what became of what it is for. */
interface Kills {
  /** The calls behind which it was killed, in words. */
  readonly at: readonly string[];
  readonly isDone: boolean;
  /** What it said where it came to its end. */
  readonly said?: string;
}

const STEPPED_FS = Bun.fileURLToPath(import.meta.resolve("../transaction/stepped-fs.ts"));
/** Behind every one of so many calls; of as many more behind every second one, and so on. */
const DENSE = 20;

/**
 * Runs a command ever again and kills it behind its first call that changes the folder, behind its
 * second, and so on, at the latest behind the one that commits; until `isDone`, which is asked
 * behind each kill, or until it comes to its end.
 */
async function killAtSteps(
  { dir: cwd, env }: Sandbox,
  folder: string,
  args: readonly string[],
  isDone: () => Promise<boolean>,
): Promise<Kills> {
  const argv = [process.execPath, "--preload", STEPPED_FS, SOURCE_MAIN, ...args, "--json"];
  const at: string[] = [];
  for (let step = 1; ; step += Math.ceil(step / DENSE)) {
    const stop = { STOP_AFTER: `${step}`, STOP_AT: " committed", STOP_BELOW: folder };
    const child = Bun.spawn(argv, {
      cwd,
      env: { ...env, ...stop },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const said = await child.stdout.text();
    await child.exited;
    if (child.signalCode !== "SIGKILL") return { at, isDone: await isDone(), said };
    at.push(said);
    if (await isDone()) return { at, isDone: true };
  }
}
