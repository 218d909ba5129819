import type { Database } from "bun:sqlite";
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../src/core/app-error.ts";
import { createLedger } from "../../src/store/ledger.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { rememberFile } from "../../src/system/remember-file.ts";
import type { Ledger } from "../../src/workspace/ledger.ts";
import { tempDir } from "./temp.ts";

/** A home that goes with the workspace it is for: in `.papa-yu`, where no tree of a test looks. */
export function homeOf(root: string): string {
  return join(root, ".papa-yu", "test-home");
}

/**
 * The ledger of a home folder. Nobody closes it, so its database is one of the few of this process
 * that are open: to open one for every question was half of what small tests cost.
 */
export function ledgerAt(home: string): Ledger {
  const ask = <T>(question: (ledger: Ledger) => T): T => question(openAt(home));
  const look = <T>(question: (ledger: Ledger) => T, nothing: T): T =>
    existsSync(join(home, "state.db")) ? ask(question) : nothing;
  return {
    key: () => ask((ledger) => ledger.key()),
    findKey: () => (existsSync(home) ? ask((ledger) => ledger.findKey()) : undefined),
    rootOf: (id) => look((ledger) => ledger.rootOf(id), undefined),
    rootWith: (id) => look((ledger) => ledger.rootWith(id), undefined),
    idAt: (root) => look((ledger) => ledger.idAt(root), undefined),
    claim: (id, root) => ask((ledger) => ledger.claim(id, root)),
    begin: (transaction, header) => ask((ledger) => ledger.begin(transaction, header)),
    ending: (transaction, seal) => ask((ledger) => ledger.ending(transaction, seal)),
    end: (transaction, seal) => ask((ledger) => ledger.end(transaction, seal)),
    keep: (transaction, seal) => ask((ledger) => ledger.keep(transaction, seal)),
    has: (transaction) => look((ledger) => ledger.has(transaction), false),
    newest: (id) => look((ledger) => ledger.newest(id), undefined),
    oldest: (id, before, most) => look((ledger) => ledger.oldest(id, before, most), []),
    forget: (transaction) => ask((ledger) => ledger.forget(transaction)),
    newestFirst: (id, before) => look((ledger) => ledger.newestFirst(id, before), []),
    oldestFirst: (id, after, most) => look((ledger) => ledger.oldestFirst(id, after, most), []),
    count: (id, most) => look((ledger) => ledger.count(id, most), 0),
    listOpen: (id) => look((ledger) => ledger.listOpen(id), []),
  };
}

interface Opened {
  readonly home: string;
  readonly ledger: Ledger;
  readonly database: Database;
  readonly isThere: () => boolean;
}

/** The newest last; more than two workspaces at once are rare. */
const opened: Opened[] = [];
const MOST_OPEN = 2;

function openAt(home: string): Ledger {
  const at = opened.findIndex((each) => each.home === home);
  const [known] = at < 0 ? [] : opened.splice(at, 1);
  if (known?.isThere()) {
    opened.push(known);
    return known.ledger;
  }
  known?.database.close();
  makeHome(home);
  const path = join(home, "state.db");
  const isThere = rememberFile(path);
  const database = openStore(path);
  const ledger = createLedger(database, home);
  opened.push({ home, ledger, database, isThere });
  if (opened.length > MOST_OPEN) opened.shift()?.database.close();
  return ledger;
}

/**
 * Makes a home that is not there. To make its tables is most of what a first question costs: from
 * the second home of a process on, they are those of the first, which come under their name whole.
 */
function makeHome(home: string): void {
  const path = join(home, "state.db");
  if (existsSync(path)) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (tables === undefined) {
    openStore(path).close();
    tables = readFileSync(path);
    return;
  }
  using made = tempDir("making-", home);
  writeFileSync(join(made.path, "state.db"), tables);
  try {
    linkSync(join(made.path, "state.db"), path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error; // another process was faster
  }
}

/** A database without a row. */
let tables: Uint8Array | undefined;
