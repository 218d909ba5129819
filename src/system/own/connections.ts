import type { Environment } from "../../core/environment.ts";

/**
 * What Bun is told when it starts of how many requests of `fetch` may be open at once: 256 where
 * nothing is said. What comes on top waits, whatever it is; who says it later is not heard.
 */
export const CONNECTIONS_VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/** Above what `agent.max_parallel_turns` can be; `bin/papayu` says the same. */
export const CONNECTIONS = 2048;
const UNTOLD = 256;
/** What Bun reads; it goes by its own number where it is told another. */
const MOST = 65_535;
/** For polls and sends of the bot, pictures and searches: nobody is deaf while all wait for a model. */
const KEPT = 32;

/** How many turns may wait for a model at a time in a process that was started with these variables. */
export function mostTurns(env: Environment): number {
  const told = Number(env[CONNECTIONS_VARIABLE]);
  const open = Number.isInteger(told) && told > 0 && told <= MOST ? told : UNTOLD;
  return Math.max(1, open - KEPT);
}
