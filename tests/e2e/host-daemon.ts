import { loadConfig } from "../../src/config/load/load.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { createApp, createLogFile } from "../../src/daemon/app/app.ts";
import { startDaemon } from "../../src/daemon/start-daemon.ts";
import { layState } from "../support/fresh-store.ts";
import { until } from "../support/patience.ts";

/** A daemon that is only talked to and stopped in order: its process is not what a test is about. */
export interface HostedDaemon extends AsyncDisposable {
  /** All that it logged so far. */
  log(): string;
  waitForLog(pattern: RegExp): Promise<void>;
  /** Stops it in order; once more does nothing. */
  stop(): Promise<void>;
}

/** Whoever looks again and again looks ten times as often; a longer wait is a bound, and stays. */
const OFTEN_MS = 500;
const EAGER: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms < OFTEN_MS ? ms / 10 : ms, signal),
};

/**
 * What `papayu start` runs, in the process of the tests: the start of a process costs most of what a
 * daemon costs that hears two messages. Nobody may end it by a signal.
 */
export async function hostDaemon(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<HostedDaemon> {
  const loaded = await loadConfig({ cwd, env, home: env["HOME"] ?? "" });
  const file = createLogFile(loaded.home);
  let log = "";
  let hasEnded = false;
  const writeLog = (line: string) => {
    // A process would be gone: what says something later would make the removed home again.
    if (!hasEnded) file.write(line);
    log += line;
  };
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => void (hasEnded = true));
  layState(loaded.home);
  const app = cleanup.use(createApp(loaded, { env, cwd, writeLog, clock: EAGER }));
  const daemon = await startDaemon(app, { configPath: undefined, cwd });
  cleanup.defer(() => daemon.stop());
  const resources = cleanup.move();
  const stop = () => resources.disposeAsync();
  return {
    log: () => log,
    waitForLog: (pattern) =>
      until(
        () => pattern.test(log),
        () => `${pattern} did not come; log:\n${log}`,
      ),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
