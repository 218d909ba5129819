import type { Database } from "bun:sqlite";
import type { Account, Amount, Ledger, Reservation } from "../providers/budget.ts";
import type { Commit } from "./writer/writer.ts";

/** What models cost, by day and payer. */
export interface SpendingStore extends Ledger {
  /** The sum of a day, of one payer or of all. */
  spent(day: string, payer?: string): Amount;
  /** Since a day, the oldest first: what each routine took, and all others together. */
  since(day: string): readonly DaySpent[];
}

/** What was spent on a day; `payer` is `routine:NAME`, or empty for all others. */
interface DaySpent extends Amount {
  readonly day: string;
  readonly payer: string;
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
  let tidiedOn = "";
  const store: SpendingStore = {
    reserve(account, amount, caps, own) {
      const reserve = (): Reservation => {
        const over = findOver(caps, () => store.spent(account.day), amount);
        if (over) return { ok: false, ...over };
        const ownSpent = () => store.spent(account.day, account.payer);
        const ownOver = own && findOver(own, ownSpent, amount);
        if (ownOver) return { ok: false, ...ownOver, isOwn: true };
        add(account, amount);
        if (account.day !== tidiedOn) {
          database.query("DELETE FROM spending WHERE day < date(?, ?)").run(account.day, KEPT);
        }
        tidiedOn = account.day;
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
    since: (day) =>
      database
        .query<DaySpent, [string]>(
          `SELECT day, iif(substr(payer, 1, 8) = 'routine:', payer, '') AS payer,
             sum(tokens) AS tokens, sum(cost) AS cost
           FROM spending WHERE day >= ?1 GROUP BY 1, 2 ORDER BY 1, 2`,
        )
        .all(day),
  };
  return store;
}

/** The first cap that `amount` would pass; what all payers of a day took is added up for a cap alone. */
function findOver(
  caps: Amount,
  sumUp: () => Amount,
  amount: Amount,
): { readonly cap: keyof Amount; readonly spent: number } | undefined {
  let sum: Amount | undefined;
  for (const cap of ["tokens", "cost"] as const) {
    if (caps[cap] <= 0) continue;
    sum ??= sumUp();
    if (sum[cap] + amount[cap] > caps[cap]) return { cap, spent: sum[cap] };
  }
  return undefined;
}
