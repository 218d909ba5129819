import type { Database } from "bun:sqlite";
import type { Agent } from "../../agent/deps.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Catalog } from "../../routines/catalog.ts";
import type { Commit, Ready } from "../../store/writer/writer.ts";
import type { Texts } from "../../texts/texts.ts";

/** The configuration in force and the agent of it; to be read each time, as it may change. */
export interface InForce {
  readonly loaded: Pick<LoadedConfig, "config" | "home">;
  readonly agent: Agent;
  readonly texts: () => Texts;
}

/** What routines are run and managed with: what an app has of that, which loads them on demand. */
export interface RoutineHost {
  readonly current: InForce;
  readonly state: {
    readonly store: Database;
    /** Waits for other programs that write to the database; in a command at once. */
    readonly ready: Ready;
    readonly commit: Commit;
  };
  readonly routines: Catalog;
  readonly clock: Clock;
  readonly log: Log;
}
