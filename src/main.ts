import { homedir } from "node:os";
import { isatty } from "node:tty";
import { runCommandLine, toFilters } from "./cli/run-command-line.ts";
import { createOutputs } from "./cli/screen/open-output.ts";
import { AppError } from "./core/app-error.ts";
import { untilAborted } from "./core/until-aborted.ts";
import { enterFolder } from "./system/own/own.ts";
import { ignoresHangUp, killMarked, nameProcess } from "./system/processes/processes.ts";

/** How long a command that was stopped by a signal still waits for who reads what it said. */
const LAST_WORDS_MS = 1000;

const argv = process.argv.slice(2);
const outputs = createOutputs(toFilters(argv));
const hasTerminal = isatty(1) || isatty(2);
const stop = new AbortController();
process.exitCode = 1; // what ends before it has said how it went is no success
void main();

/** Nothing at the top waits, so that the program can be translated ahead of its start. */
async function main(): Promise<never> {
  const exitCode = await runCommandLine(argv, {
    outputs,
    hasTerminal,
    env: process.env,
    userHome: process.env["HOME"] || homedir(),
    get stdin() {
      return process.stdin;
    },
    enterFolder() {
      enterFolder(process.execArgv, process.env);
      return process.cwd();
    },
    listenForStop,
  });
  const isLate = untilAborted(stop.signal).then(() => Bun.sleep(LAST_WORDS_MS));
  await Promise.race([outputs.flush(), isLate]);
  process.exit(exitCode); // whatever a cut-short command left behind must not keep the process
}

/**
 * The first signal asks for an orderly end, the second one ends at once; either way no command
 * that was started goes on without papa-yu. A window that closes only asks: the kernel and the shell
 * both say so, one right after the other.
 */
function listenForStop(): AbortSignal {
  const names = ["SIGINT", "SIGTERM"] as const;
  const endNow = (name: NodeJS.Signals) => {
    for (const each of names) process.off(each, endNow);
    killMarked(nameProcess());
    process.kill(process.pid, name); // nobody listens any more
  };
  const begin = (name: NodeJS.Signals) => {
    if (stop.signal.aborted) return;
    for (const each of names) process.off(each, begin).on(each, endNow);
    process.once("exit", () => killMarked(nameProcess()));
    stop.abort(new AppError("ERR_CANCELLED", `Stopped by ${name}`, { cause: name }));
  };
  for (const each of names) process.on(each, begin);
  if (!ignoresHangUp(hasTerminal)) process.on("SIGHUP", begin);
  return stop.signal;
}
