import { setTimeout } from "node:timers/promises";
import { childEnvironment } from "../../system/child-environment.ts";
import { findOuterProgram } from "../../system/run/run.ts";
import type { Output } from "./open-output.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Who sits at the terminal, and what they set. */
export interface Seat {
  readonly stdin: { readonly isTTY: boolean };
  readonly caller: { readonly env: Environment };
  /** Ends the pager, as whoever started it ends. */
  readonly signal: AbortSignal;
}

/**
 * Shows a text that is longer than the screen in the person's pager, on the terminal of `output`,
 * whatever else is a terminal; false where there is none.
 */
export async function page(
  text: string,
  output: Output,
  { caller: { env }, stdin, signal }: Seat,
  roots: readonly string[],
): Promise<boolean> {
  const argv = pagerOf(env, (name) => findOuterProgram(name, env, roots));
  const { descriptor } = output;
  if (!argv || !stdin.isTTY || descriptor === undefined) return false;
  await output.shared?.written;
  using _calm = ignoreInterrupts();
  try {
    const child = Bun.spawn([...argv], {
      env: pagerEnvironment(env),
      stdin: Buffer.from(text),
      stdout: descriptor,
      stderr: descriptor,
      signal,
    });
    const code = await child.exited;
    await setTimeout(LATE_SIGNAL_MS);
    return code === 0;
  } catch {
    return false;
  }
}

/**
 * The pager that a person named, as program and arguments, or `less`; undefined: they want none, or
 * there is none. A shell reads none of it: what needs one is passed over, and so is a program that
 * lies in a workspace or below packages, for which `find` answers nothing.
 */
export function pagerOf(
  env: Environment,
  find: (name: string) => string | undefined,
): readonly string[] | undefined {
  const named = env["PAPAYU_PAGER"] ?? env["PAGER"];
  if (named !== undefined && ["", "cat"].includes(named.trim())) return undefined;
  const isPlain = named !== undefined && /^[\w@%+:,./=\s-]+$/u.test(named);
  const [name = "less", ...args] = isPlain ? named.trim().split(/\s+/u) : [];
  const program = find(name);
  if (program !== undefined) return [program, ...args];
  const usual = find("less");
  return usual === undefined ? undefined : [usual];
}

/** What a pager reads of the environment: how to show, and never a command to run. */
const READ = /^(?:LESS|LESSCHARSET|LESSUTFCHARDEF|LV|MORE|COLUMNS|LINES|BAT_(?:STYLE|THEME))$/u;

function pagerEnvironment(env: Environment): Record<string, string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    READ.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  // Quits where all of it fits, shows colours, and runs nothing for whom it shows a text of others.
  const usual = { LESS: "FR", LV: "-c" };
  return { ...childEnvironment(env), ...usual, ...Object.fromEntries(own), LESSSECURE: "1" };
}

/** Ctrl-C reaches the pager and papa-yu, which may hear of the pager's end before the signal. */
const LATE_SIGNAL_MS = 50;

/** Ctrl-C is the pager's while it runs: it stops a search there, and must not end the command. */
function ignoreInterrupts(): Disposable {
  const listeners = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return {
    [Symbol.dispose]() {
      process.off("SIGINT", ignore);
      for (const listener of listeners) process.on("SIGINT", listener);
    },
  };
}
