import type { Database } from "bun:sqlite";
import type { LoadOptions } from "../../config/places/places.ts";
import type { Clock } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Log } from "../../core/log.ts";
import type { Author } from "../../planner/author.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Redactor } from "../../security/redact/redact.ts";
import type { Ready } from "../../store/when-writable.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { Ledger } from "../../workspace/ledger.ts";

/** What the edge hands in. */
export interface AppEnvironment {
  readonly env: Environment;
  /** Folder that relative workspace paths of a command line start from. */
  readonly cwd: string;
  /** Gets one log line with its newline. */
  readonly writeLog: (line: string) => void;
  readonly clock?: Clock;
  /** Tells the person something nobody asked for; without it only the log knows. */
  readonly notice?: (text: string) => void;
  /** Answers instead of the configured provider. */
  readonly provider?: Provider;
  /** Writes the plans instead of the provider. */
  readonly author?: Author;
}

/** What is stored for this home. */
export interface State {
  readonly store: Database;
  /** What this home knows of the transactions in workspaces. */
  readonly ledger: Ledger;
  /** Waits for other programs that write to the database. */
  readonly ready: Ready;
}

/** Secrets' values, and what masks them. */
export interface Secrets {
  /** The value of a reference; undefined when none is set. */
  readonly read: (reference: string) => string | undefined;
  readonly redactor: Redactor;
}

/** What outlives every configuration. */
export interface SharedServices {
  readonly environment: AppEnvironment;
  /** Loads the same configuration again. */
  readonly source: LoadOptions;
  readonly state: State;
  readonly secrets: Secrets;
  /** Loaded with the first call of the tool that works with them. */
  readonly openRoutines: () => Promise<RoutineService>;
  readonly log: Log;
  readonly clock: Clock;
}
