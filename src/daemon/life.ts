import { Database } from "bun:sqlite";
import { join } from "node:path";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createSettings, type Settings } from "../store/settings/settings.ts";
import { nameProcess } from "../system/processes/processes.ts";

/** What the daemon last wrote of its own life. */
export interface Life {
  readonly pid: number;
  /** What marks the commands that it runs. */
  readonly runner?: string;
  /** When it certainly still ran. */
  readonly aliveAt: number;
  /** It ended in order, at `aliveAt`. */
  readonly isOver: boolean;
  /** When the last one that did not end in order was certainly still alive. */
  readonly crashedAt?: number;
  readonly launch: Launch;
}

/** How a daemon was started, so that it can be started like this again. */
export interface Launch {
  /** The file that `--config` named. */
  readonly configPath: string | undefined;
  readonly cwd: string;
  /** systemd started it, and has to start it again. */
  readonly isService?: boolean;
}

const KEY = "daemon.life";
const BEAT_MS = 60_000;

/** What the last daemon on this database wrote; undefined before the first, and of rubbish. */
export function readLife(settings: Pick<Settings, "get">): Life | undefined {
  try {
    // Written by no one but the daemon, below.
    const life: Life = JSON.parse(settings.get(KEY) ?? "");
    return life;
  } catch {
    return undefined; // what cannot be told must not keep a daemon from starting
  }
}

/** The same from outside the daemon; undefined when its database cannot be read. */
export function findLife(home: string): Life | undefined {
  try {
    using database = new Database(join(home, "state.db"), { readonly: true });
    return readLife(createSettings(database));
  } catch {
    return undefined;
  }
}

/** Writes once a minute that this daemon lives, from now on; the end says that it ended in order. */
export function beginLife(
  launch: Launch,
  { settings, clock, log }: { settings: Settings; clock: Clock; log: Log },
): { end(): void } {
  const before = readLife(settings);
  const crashedAt = before && !before.isOver ? before.aliveAt : before?.crashedAt;
  const crash = crashedAt === undefined ? {} : { crashedAt };
  const runner = nameProcess();
  const write = (isOver: boolean) => {
    const life: Life = { pid: process.pid, runner, aliveAt: clock.now(), isOver, ...crash, launch };
    try {
      settings.set(KEY, JSON.stringify(life));
    } catch (error) {
      log("HEARTBEAT_FAILED", { error: errorMessage(error) }); // a full disk ends no daemon
    }
  };
  write(false);
  const beat = setInterval(write, BEAT_MS, false);
  return {
    end() {
      clearInterval(beat);
      write(true);
    },
  };
}
