import type { Entry } from "./wire.ts";

/** Which of some transactions, the newest first, were taken back by one that was not itself. */
export function takenBack(entries: readonly Entry[]): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const { tx_id: txId, status, reverses } of entries) {
    const holds = status === "committed" && !gone.has(txId);
    if (holds && reverses !== undefined) gone.add(reverses);
  }
  return gone;
}
