import type { Clock } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Author } from "../../planner/author.ts";
import type { Provider } from "../../providers/provider.ts";

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
