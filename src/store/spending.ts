import type { Database } from "bun:sqlite";
import type { Account, Amount, Ledger, Reservation } from "../providers/budget.ts";
import { unsynced } from "./unsynced.ts";

/** What models cost, by day and payer. */
export interface SpendingStore extends Ledger {
  /** The sum of a day, of one payer or of all. */
  spent(day: string, payer?: string): Amount;
}

/** Older days are looked at by nobody. */
const KEPT = "-90 days";

/** The ledger in `state.db`, shared by a daemon and the commands beside it. */
export function createSpendingStore(database: Database): SpendingStore {
  const store: SpendingStore = {
    reserve(account, amount, caps) {
      const reserve = database.transaction((): Reservation => {
        const spent = store.spent(account.day);
        for (const cap of ["tokens", "cost"] as const) {
          const isOver = caps[cap] > 0 && spent[cap] + amount[cap] > caps[cap];
          if (isOver) return { ok: false, cap, spent: spent[cap] };
        }
        store.settle(account, amount);
        database.query("DELETE FROM spending WHERE day < date(?, ?)").run(account.day, KEPT);
        return { ok: true };
      });
      return unsynced(database, () => reserve.immediate());
    },
    settle({ day, payer }: Account, { tokens, cost }: Amount) {
      const sql = `INSERT INTO spending (day, payer, tokens, cost) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`;
      unsynced(database, () => database.query(sql).run(day, payer, tokens, cost));
    },
    spent(day, payer) {
      const sql = `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost
        FROM spending WHERE day = ?1 AND payer = coalesce(?2, payer)`;
      const row = database.query<Amount, [string, string | null]>(sql).get(day, payer ?? null);
      return row ?? { tokens: 0, cost: 0 };
    },
  };
  return store;
}
