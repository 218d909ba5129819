export { type Became, findByWork } from "./find-work.ts";
export {
  countLeftAlone,
  type ForeignTransaction,
  listForeign,
  listUnknown,
  type Strangeness,
  type Told,
} from "./foreign.ts";
export { buildUndoStacks, type HistoryEntry, readHistory } from "./history.ts";
export { findLeftovers, isFolder, markOf, toRow } from "./leftovers.ts";
export {
  type FoundJournal,
  findOwn,
  headerOf,
  readJournal,
  readOwnTransactions,
} from "./own-journals.ts";
export { createSealer } from "./seal.ts";
export {
  beginJournal,
  type Journal,
  type JournalHeader,
  noteEnd,
  reopenJournal,
  type TransactionKind,
  toFirstRecord,
  toLastRecord,
  type Vouched,
} from "./write-journal.ts";
