export { findByWork, type WorkOutcome } from "./find-work.ts";
export {
  countLeftAlone,
  type ForeignReason,
  type ForeignTransaction,
  type JournalClaims,
  listForeign,
  listUnknown,
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
  type OwnedTransaction,
  reopenJournal,
  type TransactionKind,
  toFirstRecord,
  toLastRecord,
} from "./write-journal.ts";
