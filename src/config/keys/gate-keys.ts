import { parseKey } from "./key.ts";

/** Keys that open the gates or lock the owner out, each with the value that does; without one any. */
const GATE_KEYS: readonly (readonly [key: string, value?: string])[] = [
  ["security.autonomy", "full"],
  ["telegram.bot_token"],
  ["telegram.allowed_user_ids"],
  ["http.host"],
  ["http.token"],
];

/**
 * Whether a change of a key, or of a table that holds one, opens the gates or locks the owner
 * out; without a value it is unset.
 */
export function isGateKey(name: string, value?: string): boolean {
  const key = parseKey(name);
  if (!key.ok) return false;
  const own = key.steps.join(".");
  return GATE_KEYS.some(([gate, open]) => {
    if (gate === own) return open === undefined || open === value;
    return gate.startsWith(`${own}.`) && (open === undefined || value !== undefined);
  });
}
