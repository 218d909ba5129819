import type { Usage } from "./provider.ts";

/** Prices per million tokens. */
export interface Prices {
  readonly inputPerMtok: number;
  readonly outputPerMtok: number;
}

/** What some tokens cost, in the currency of the prices. */
export function toCost({ inputTokens, outputTokens }: Usage, prices: Prices): number {
  return (inputTokens * prices.inputPerMtok + outputTokens * prices.outputPerMtok) / 1_000_000;
}
