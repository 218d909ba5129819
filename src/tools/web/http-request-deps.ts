import type { Resolve } from "../../http/check-url/check-url.ts";
import type { Provider } from "../../providers/provider.ts";

/** What `http_request` is bound to. */
export interface HttpRequestDeps {
  /** Private hosts that may be called all the same. */
  readonly allowedHosts: readonly string[];
  /** Stripped HTML above this is extracted or cut; 0: nothing is stripped. */
  readonly stripThresholdKb: number;
  /** Answers `extract`; undefined while no model is configured. */
  readonly extractProvider: (() => Provider) | undefined;
  /** Whether a text holds one of the daemon's secrets, in any spelling. */
  readonly holdsSecret: (text: string) => boolean;
  /** Asks DNS; the machine's own resolver when absent. */
  readonly resolve?: Resolve | undefined;
}
