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

/** The ledger in `state.db`, shared by a daemon and the commands next to it. */
export function createSpendingStore(database: Database): SpendingStore {
  const store: SpendingStore = {
    reserve(account, amount, caps, own) {
      const reserve = database.transaction((): Reservation => {
        const all = store.spent(account.day);
        const cap = findOver(caps, all, amount);
        if (cap) return { ok: false, cap, spent: all[cap] };
        const payers = store.spent(account.day, account.payer);
        const ownCap = own && findOver(own, payers, amount);
        if (ownCap) return { ok: false, cap: ownCap, spent: payers[ownCap], isOwn: true };
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

function findOver(caps: Amount, spent: Amount, amount: Amount): keyof Amount | undefined {
  const keys = ["tokens", "cost"] as const;
  return keys.find((cap) => caps[cap] > 0 && spent[cap] + amount[cap] > caps[cap]);
}
