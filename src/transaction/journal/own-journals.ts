import { AppError, systemErrorCode } from "../../core/app-error.ts";
import { readPlainFile } from "../../system/plain-file.ts";
import { identify } from "../../workspace/identity.ts";
import type { Ledger, LedgerEntry, LedgerKey } from "../../workspace/ledger.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { journalPath } from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";
import { findOutcome, parseHeader, parseRecord } from "./journal-record.ts";
import { keepSealed, readFrames } from "./seal.ts";
import type { JournalHeader, Outcome } from "./write-journal.ts";

/** No journal is longer: of 200 actions with the longest paths it has less. */
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/**
 * A transaction that this home began in this workspace, as its journal and the home describe it.
 */
export interface OwnTransaction {
  readonly txId: string;
  readonly header: JournalHeader;
  /** Undefined while it is unfinished. */
  readonly outcome: Outcome | undefined;
}

/** What is where the journal of a transaction belongs. */
export type FoundJournal =
  /** Nothing, or a first line that never reached the disk whole. */
  | { readonly kind: "none" }
  /** Something that this home did not write for this transaction, or that was damaged since. */
  | { readonly kind: "other" }
  | {
      readonly kind: "own";
      readonly header: JournalHeader;
      readonly outcome: Outcome | undefined;
      /** Of its last whole line. */
      readonly seal: string;
      /** Where its last whole line ends. */
      readonly end: number;
    };

/** The transactions of a workspace that this home vouches for, newest first, or those before one. */
export function* readOwnTransactions(
  workspace: Workspace,
  before?: string,
): Generator<OwnTransaction> {
  yield* readEach(workspace, ({ ledger, workspaceId }) => ledger.newestFirst(workspaceId, before));
}

/** Of the `most` that follow one, those that this home vouches for, oldest first. */
export function readOwnAfter(
  workspace: Workspace,
  after: string,
  most: number,
): Generator<OwnTransaction> {
  return readEach(workspace, ({ ledger, workspaceId }) =>
    ledger.oldestFirst(workspaceId, after, most),
  );
}

function* readEach(
  workspace: Workspace,
  list: (own: NonNullable<ReturnType<typeof findOwn>>) => Iterable<LedgerEntry>,
): Generator<OwnTransaction> {
  const own = findOwn(workspace);
  if (!own) return;
  const { ledger, workspaceId } = own;
  using tree = openTree(workspace.root);
  const key = ledger.findKey();
  for (const entry of list(own)) {
    const found = toOwn(tree, key, { workspaceId, txId: entry.txId }, entry);
    if (found) yield found;
  }
}

/** Which workspace this is to its home; undefined: none that it knows. */
export function findOwn(
  workspace: Workspace,
): { readonly ledger: Ledger; readonly workspaceId: string } | undefined {
  const { ledger } = workspace;
  if (!ledger) return undefined;
  const identity = identify(workspace, ledger);
  return "id" in identity ? { ledger, workspaceId: identity.id } : undefined;
}

/**
 * Reads a journal as far as the key sealed it for this transaction.
 *
 * @throws AppError ERR_IO when the disk refuses, so that nobody can say what is there
 */
export function readJournal(
  tree: Tree,
  key: Buffer | undefined,
  transaction: LedgerKey,
  lastSeal?: string,
): FoundJournal {
  const bytes = readBytes(tree, transaction.txId);
  if (!bytes) return { kind: "other" };
  if (!bytes.includes(10)) return { kind: "none" };
  const sealed = key ? keepSealed(readFrames(bytes), key, transaction) : [];
  const count = lastSeal === undefined ? -1 : sealed.findIndex(({ seal }) => seal === lastSeal);
  // What follows the end that the home knows is not part of it.
  const frames = count === -1 ? sealed : sealed.slice(0, count + 1);
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || (lastSeal !== undefined && last.seal !== lastSeal)) {
    return { kind: "other" };
  }
  const header = parseHeader(parseRecord(first.record.toString()));
  if (!header) return { kind: "other" };
  const records = frames.map(({ record }) => parseRecord(record.toString()));
  return { kind: "own", header, outcome: findOutcome(records), seal: last.seal, end: last.end };
}

/** An entry that has ended counts only with the whole journal that ended so. */
function toOwn(
  tree: Tree,
  key: Buffer | undefined,
  transaction: LedgerKey,
  entry: LedgerEntry,
): OwnTransaction | undefined {
  const { txId } = transaction;
  if (entry.kind === "ended") {
    if (entry.seal === undefined) return undefined;
    const journal = readJournal(tree, key, transaction, entry.seal);
    return journal.kind === "own" ? { txId, ...pick(journal) } : undefined;
  }
  const journal = readJournal(tree, key, transaction);
  if (journal.kind === "own") return { txId, ...pick(journal) };
  return tree.has(journalPath(txId))
    ? { txId, header: headerOf(entry.header), outcome: undefined }
    : undefined;
}

function pick({ header, outcome }: Extract<FoundJournal, { kind: "own" }>) {
  return { header, outcome };
}

/** What the home wrote down before the transaction began; it reads back what it wrote. */
export function headerOf(text: string): JournalHeader {
  const header = parseHeader(parseRecord(text));
  if (!header) throw new Error(`the home holds a transaction that it cannot read: ${text}`);
  return header;
}

/** Empty when there is none; undefined when it is nothing that a journal could be. */
function readBytes(tree: Tree, txId: string): Buffer | undefined {
  try {
    return readPlainFile(tree.at(journalPath(txId)), MAX_JOURNAL_BYTES);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return Buffer.alloc(0);
    // A link, a folder, a socket; without a code: special, or too long.
    if (code === undefined || /^(ELOOP|ENOTDIR|EISDIR|ENXIO)$/.test(code)) return undefined;
    const message = `Cannot read the journal of ${txId}: ${code}; make "${journalPath(txId)}" readable`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}
