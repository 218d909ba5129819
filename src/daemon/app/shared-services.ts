import type { Database } from "bun:sqlite";
import type { Agent } from "../../agent/deps.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { LoadOptions } from "../../config/places/places.ts";
import type { Clock } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Log } from "../../core/log.ts";
import type { Author } from "../../planner/author.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Redactor } from "../../security/redact/redact.ts";
import type { ApprovalStore } from "../../store/approvals.ts";
import type { KnownRows } from "../../store/known-rows.ts";
import type { SessionStore } from "../../store/sessions.ts";
import type { Settings } from "../../store/settings/settings.ts";
import type { Commit, Ready } from "../../store/writer/writer.ts";
import type { Texts } from "../../texts/texts.ts";
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
  /** There is no later turn: it waits for the tools of servers. */
  readonly isOnlyTurn?: boolean;
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
  /** For what is written at every message. */
  readonly commit: Commit;
  /** For what is read at every message, and hardly ever written. */
  readonly known: KnownRows;
  readonly sessions: SessionStore;
  readonly approvals: ApprovalStore;
  readonly settings: Settings;
  /** Waits for other programs that write to the database; in a command at once. */
  readonly ready: Ready;
}

/** The same for the process that opened it, which may live long. */
export interface OpenState extends State {
  /**
   * From now on a write waits for another program no longer than a glance, and `ready` waits
   * instead.
   */
  readonly stopBlocking: () => void;
  /** False when `state.db` was deleted or replaced: what is written is lost with this process. */
  readonly isInPlace: () => boolean;
}

/** The configuration in force and what is made of it; to be read each time, as it may change. */
export interface Current {
  readonly loaded: LoadedConfig;
  readonly agent: Agent;
  /** The interface's words, in the language of the configuration. */
  readonly texts: () => Texts;
}

/** How another configuration gets in force. */
export interface Reloading {
  /** Loads the same configuration again. */
  readonly source: LoadOptions;
  /**
   * Puts another configuration in force for whatever begins from now on. What runs keeps the parts
   * it began with; once that has ended, the function that is given back ends what nobody needs.
   *
   * @throws AppError when a part cannot be made of it; then nothing changes
   */
  use(next: LoadedConfig): () => Promise<void>;
}

/** Secrets' values, and what masks them. */
export interface Secrets {
  /**
   * The value of a reference, known to the redactor from then on; undefined when none is set. It is a
   * key that can be sent, unless `isText`: what a program is given may be of many lines.
   */
  readonly read: (reference: string, isText?: true) => string | undefined;
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
