import type { Database } from "bun:sqlite";
import type { Account, Amount, Ledger, Reservation } from "../providers/budget.ts";
import type { Commit } from "./writer.ts";

/** What models cost, by day and payer. */
export interface SpendingStore extends Ledger {
  /** The sum of a day, of one payer or of all. */
  spent(day: string, payer?: string): Amount;
}

/** Older days are looked at by nobody. */
const KEPT = "-90 days";

/** The ledger in `state.db`, shared by a daemon and the commands next to it. */
export function createSpendingStore(database: Database, commit: Commit): SpendingStore {
  const add = ({ day, payer }: Account, { tokens, cost }: Amount) => {
    const sql = `INSERT INTO spending (day, payer, tokens, cost) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`;
    database.query(sql).run(day, payer, tokens, cost);
  };
  const how = { isSynced: false };
  const store: SpendingStore = {
    reserve(account, amount, caps, own) {
      const reserve = (): Reservation => {
        const all = store.spent(account.day);
        const cap = findOver(caps, all, amount);
        if (cap) return { ok: false, cap, spent: all[cap] };
        const payers = store.spent(account.day, account.payer);
        const ownCap = own && findOver(own, payers, amount);
        if (ownCap) return { ok: false, cap: ownCap, spent: payers[ownCap], isOwn: true };
        add(account, amount);
        database.query("DELETE FROM spending WHERE day < date(?, ?)").run(account.day, KEPT);
        return { ok: true };
      };
      return commit(reserve, how);
    },
    settle: (account, difference) => commit(() => add(account, difference), how),
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
