export { findByWork, type WorkOutcome, workOfPart } from "./find-work.ts";
export {
  countLeftAlone,
  type ForeignReason,
  type ForeignTransaction,
  findLeftovers,
  isFolder,
  type JournalClaims,
  listForeign,
  listUnknown,
  markOf,
  toRow,
} from "./foreign.ts";
export {
  type HistoryEntry,
  listUndoable,
  nextToTakeBack,
  readHistory,
  readNewest,
  readOlder,
  readOne,
  seriesOnTop,
} from "./history.ts";
export {
  type FoundJournal,
  findOwn,
  headerOf,
  readJournal,
  readOwnAfter,
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
