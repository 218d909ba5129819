import type { Config } from "../../config/schema/schema.ts";
import type { Prices } from "../../providers/prices.ts";

/** The configured prices of a provider; undefined: none, so that only tokens are counted. */
export function pricesOf({ providers }: Config, name: string): Prices | undefined {
  const { price_input_per_mtok: input, price_output_per_mtok: output } = providers[name] ?? {};
  if (input === undefined || output === undefined) return undefined;
  return { inputPerMtok: input, outputPerMtok: output };
}
