/**
 * For a daemon that loads this first: once the file END_ARM is there it ends itself by END_BY
 * right after the END_AFTER-th call that changes a file of a workspace or a row of state.db, or right
 * after the one that END_AT ends the description of.
 */
import { Database } from "bun:sqlite";
import { existsSync, unlinkSync } from "node:fs";
import { countCall, makeTrouble } from "../transaction/stepped-fs.ts";

const { END_ARM: arm = "", END_AFTER: after, END_AT: at, END_BY: by } = process.env;
const signal = by === "SIGTERM" ? "SIGTERM" : "SIGKILL";

const waiting = setInterval(() => {
  if (!existsSync(arm)) return;
  clearInterval(waiting);
  makeTrouble({ stopAfter: Number(after), signal, ...(at !== undefined && { stopAt: at }) });
  unlinkSync(arm);
}, 2);

const CHANGING = /^\s*(INSERT|UPDATE|DELETE|WITH)\b/i;

/** Counts the calls of `work` that come back. */
function counted(work: Function, self: object, words: string) {
  return (...values: readonly unknown[]): unknown => {
    const result: unknown = Reflect.apply(work, self, values);
    countCall(words);
    return result;
  };
}

const realQuery: Function = Reflect.get(Database.prototype, "query");
const realTransaction: Function = Reflect.get(Database.prototype, "transaction");
const watched = new WeakSet<object>();

Object.assign(Database.prototype, {
  query(this: Database, sql: string) {
    const statement = Reflect.apply(realQuery, this, [sql]);
    if (!CHANGING.test(sql) || watched.has(statement)) return statement;
    watched.add(statement);
    const words = `sql ${sql.trim().replaceAll(/\s+/g, " ").slice(0, 60)}`;
    for (const name of ["run", "get", "all"] as const) {
      Object.assign(statement, { [name]: counted(statement[name], statement, words) });
    }
    return statement;
  },
  transaction(this: Database, work: () => unknown) {
    const begun = Reflect.apply(realTransaction, this, [work]);
    const ways = ["deferred", "immediate", "exclusive"] as const;
    const counting = ways.map((way) => [way, counted(begun[way], begun, "sql COMMIT")] as const);
    return Object.assign(counted(begun, this, "sql COMMIT"), Object.fromEntries(counting));
  },
});
