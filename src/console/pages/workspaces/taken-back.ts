import type { Entry } from "./wire.ts";

/** What became of a transaction until now: one that was applied may be undone since. */
export function endOf({ status }: Pick<Entry, "status">, isTakenBack: boolean): string {
  return isTakenBack && status === "committed" ? "undone" : status;
}

/** Which of some transactions, the newest first, were taken back by one that was not itself. */
export function takenBack(entries: readonly Entry[]): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const { tx_id: txId, status, reverses } of entries) {
    const holds = status === "committed" && !gone.has(txId);
    if (holds && reverses !== undefined) gone.add(reverses);
  }
  return gone;
}
