import { Database } from "bun:sqlite";
import { join } from "node:path";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import {
  createSettings,
  type Heartbeat,
  type Launch,
  type Settings,
} from "../store/settings/settings.ts";
import { nameProcess } from "../system/processes/processes.ts";

export type { Launch } from "../store/settings/settings.ts";

const BEAT_MS = 60_000;

/** What the last daemon on this database wrote; undefined before the first, and of rubbish. */
export function readHeartbeat(settings: Settings): Heartbeat | undefined {
  return settings.of("daemon.life").get("");
}

/** The same from outside the daemon; undefined when its database cannot be read. */
export function findHeartbeat(home: string): Heartbeat | undefined {
  try {
    using database = new Database(join(home, "state.db"), { readonly: true });
    return readHeartbeat(createSettings(database));
  } catch {
    return undefined;
  }
}

/** Writes once a minute that this daemon lives, from now on; the end says that it ended in order. */
export function beginHeartbeat(
  launch: Launch,
  { settings, clock, log }: { settings: Settings; clock: Clock; log: Log },
): { end(): void } {
  const before = readHeartbeat(settings);
  const crashedAt = before && !before.isOver ? before.aliveAt : before?.crashedAt;
  const crash = crashedAt === undefined ? {} : { crashedAt };
  const runner = nameProcess();
  const write = (isOver: boolean) => {
    const life: Heartbeat = {
      pid: process.pid,
      runner,
      aliveAt: clock.now(),
      isOver,
      ...crash,
      launch,
    };
    try {
      settings.of("daemon.life").set("", life);
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
