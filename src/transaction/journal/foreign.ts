import { lstatSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import { firstOf } from "../../core/few.ts";
import { readPlainFile } from "../../system/plain-file.ts";
import { carriesId } from "../../workspace/identity.ts";
import type { LedgerKey, OpenEntry } from "../../workspace/ledger.ts";
import type { LeftOut, Part } from "../../workspace/part.ts";
import { STATE_DIR, type Workspace } from "../../workspace/workspace.ts";
import { lookAgain } from "../look-again.ts";
import { journalPath, transactionPath } from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";
import { findOutcome, parseHeader, parseRecord } from "./journal-record.ts";
import {
  findOwn,
  headerOf,
  MAX_JOURNAL_BYTES,
  readJournal,
  readOwnTransactions,
} from "./own-journals.ts";
import { keepSealed, readFrames } from "./seal.ts";
import { type JournalHeader, type Outcome, toFirstRecord } from "./write-journal.ts";

/** More are not looked at: anybody may have put them there. */
const MOST_LISTED = 200;

/** Why a transaction in the state folder is none that this home obeys. */
export type ForeignReason =
  /** This home wrote the journal, but `state.db` knows nothing of it: it was lost or restored. */
  | "unknown here"
  /** Another home wrote it, or this one with a key that is lost. */
  | "other key"
  /** An earlier papa-yu wrote it: journals were not sealed then. */
  | "older version"
  /** This home began it at this path, and nothing says that this is still the same folder. */
  | "other folder"
  /** What is there is no whole journal. */
  | "damaged";

/** A transaction in a state folder that this home does not vouch for. */
export interface ForeignTransaction {
  readonly txId: string;
  readonly why: ForeignReason;
  /** What its journal says; undefined when it is damaged. */
  readonly claims: JournalClaims | undefined;
}

/** What a journal says that nobody vouches for. */
export interface JournalClaims {
  readonly header: JournalHeader;
  /** Undefined: it says that it was cut off in the middle. */
  readonly outcome: Outcome | undefined;
}

/** What is among a workspace's transactions and is left alone, oldest first. */
export function listForeign(workspace: Workspace): Part<ForeignTransaction> {
  const uncertain = listUncertain(workspace);
  const own = Array.from(readOwnTransactions(workspace), ({ txId }) => txId);
  const ids = [...own, ...uncertain.map(({ txId }) => txId)];
  const { items, leftOut } = listExcept(workspace, ids);
  return { items: [...items, ...uncertain], leftOut };
}

function listUncertain(workspace: Workspace) {
  return findLeftovers(workspace).uncertain.map(({ txId, header }) => {
    const claims = { header: headerOf(header), outcome: undefined };
    return { txId, why: "other folder", claims } as const;
  });
}

/**
 * How many of them have a readable journal, or were not looked at: they could have been in the
 * history. Asked with every history, so it reads none of this home's own journals.
 */
export function countLeftAlone(workspace: Workspace): number {
  const uncertain = listUncertain(workspace);
  const { items, leftOut } = listUnknown(workspace);
  const further = leftOut.reduce((sum, { count = 0 }) => sum + count, 0);
  return items.filter(({ claims }) => claims).length + uncertain.length + further;
}

/** Those of them that this home does not know, without reading its own. */
export function listUnknown(workspace: Workspace): Part<ForeignTransaction> {
  const own = findOwn(workspace);
  const known = own?.ledger.newestFirst(own.workspaceId) ?? [];
  return listExcept(
    workspace,
    Array.from(known, ({ txId }) => txId),
  );
}

function listExcept(workspace: Workspace, ids: readonly string[]): Part<ForeignTransaction> {
  using tree = openTree(workspace.root);
  const own = new Set(ids);
  const names = listNames(tree).filter((name) => /^tx_[0-9a-z]{1,32}$/.test(name));
  const others = names.filter((name) => !own.has(name)).toSorted();
  const leftOut: LeftOut[] = [];
  const some = firstOf(others, MOST_LISTED).take((count) =>
    leftOut.push({ what: "folders", count }),
  );
  return { items: some.map((txId) => readForeign(workspace, tree, txId)), leftOut };
}

/** Says what an unsealed or strangely sealed journal is; nothing of it is believed. */
export function readForeign(workspace: Workspace, tree: Tree, txId: string): ForeignTransaction {
  const bytes = readBytes(tree, txId);
  const frames = bytes ? readFrames(bytes) : [];
  const [first] = frames;
  if (!first) return readUnsealed(txId, bytes);
  const records = frames.map(({ record }) => parseRecord(record.toString()));
  const header = parseHeader(records[0] ?? {});
  const { workspace: claimed, tx } = records[0] ?? {};
  const key = workspace.ledger?.findKey();
  if (!header || tx !== txId || typeof claimed !== "string") {
    return { txId, why: "damaged", claims: undefined }; // or copied under another name
  }
  const claims = { header, outcome: findOutcome(records) };
  const sealed = key ? keepSealed(frames, key, { workspaceId: claimed, txId }) : [];
  if (sealed.length !== frames.length) return { txId, why: "other key", claims };
  // This home ended it, and with another line than the last one here: it was cut.
  const own = findOwn(workspace);
  const isCut = own?.ledger.has({ workspaceId: own.workspaceId, txId }) ?? false;
  return isCut
    ? { txId, why: "damaged", claims: undefined }
    : { txId, why: "unknown here", claims };
}

/** Version 1 had a plain record a line. */
function readUnsealed(txId: string, bytes: Buffer | undefined): ForeignTransaction {
  const lines = bytes?.toString().split("\n") ?? [];
  const records = lines.map(parseRecord);
  const header = records[0]?.["v"] === 1 ? parseHeader(records[0]) : undefined;
  if (!header || lines.length === 1) return { txId, why: "damaged", claims: undefined };
  return { txId, why: "older version", claims: { header, outcome: findOutcome(records) } };
}

function listNames(tree: Tree): readonly string[] {
  try {
    return tree.list(`${STATE_DIR}/tx`);
  } catch {
    return []; // none, or no folder: then nothing in it is read either
  }
}

function readBytes(tree: Tree, txId: string): Buffer | undefined {
  try {
    return readPlainFile(tree.at(journalPath(txId)), MAX_JOURNAL_BYTES);
  } catch {
    return undefined;
  }
}

/** What this home began in a workspace and has not ended. */
interface Leftovers {
  /** To be taken back by the next process. */
  readonly own: readonly OpenEntry[];
  /** Began at this path, in what may be another folder: nothing in it says that it is the same. */
  readonly uncertain: readonly OpenEntry[];
}

/** What the home notes before a transaction begins: the first record, and which folder it is in. */
export function toRow(header: JournalHeader, transaction: LedgerKey, root: string): string {
  return JSON.stringify({ ...toFirstRecord(header, transaction), folder: markOf(root) });
}

/**
 * What has not ended. Without its folder it never began, or is in a copy that is not here now; or
 * the state folder was taken away, by a person or a tool such as `git clean`. Where this is the
 * very folder in which the newest began, what is at its paths decides. A folder that was deleted
 * and cloned again at the same path may hold the same, and there it is somebody's work. Of one that
 * was about to end, whose files were all made or all back by then, nothing is left to do.
 */
export function findLeftovers(workspace: Workspace): Leftovers {
  const found = findOwn(workspace);
  const open = found?.ledger.listOpen(found.workspaceId) ?? [];
  if (!found || open.length === 0) return { own: [], uncertain: [] };
  const { ledger, workspaceId } = found;
  using tree = openTree(workspace.root);
  const mark = markOf(workspace.root);
  const newest = ledger.newest(workspaceId);
  const left = open.flatMap((entry) => {
    const { txId, header, seal } = entry;
    // A disk that is not mounted leaves another folder at its path; one that notes no birth has no mark.
    const isSame = mark === parseRecord(header)["folder"];
    const isHere = mark !== undefined && isSame;
    if (!isFolder(tree, transactionPath(txId))) {
      const isOver = isSame && seal !== undefined;
      if (isOver || (isHere && txId === newest)) return { entry, isSure: true };
      const { status } = lookAgain(tree, headerOf(header).changes, new Map());
      return status === "incomplete" ? { entry, isSure: false } : [];
    }
    if (isHere) return { entry, isSure: true };
    const isOwn = () => readJournal(tree, ledger.findKey(), { workspaceId, txId }).kind === "own";
    return { entry, isSure: carriesId(workspace, workspaceId) || isOwn() };
  });
  const pick = (isSure: boolean) =>
    left.filter((each) => each.isSure === isSure).map(({ entry }) => entry);
  return { own: pick(true), uncertain: pick(false) };
}

/**
 * Tells a folder from another one that came to its path later. A disk that was restored or moved
 * gives other numbers, and one that notes no birth gives a number again: then what is in the state
 * folder decides, or a person is asked.
 */
export function markOf(root: string): string | undefined {
  const { ino, birthtimeNs } = lstatSync(root, { bigint: true });
  return birthtimeNs === 0n ? undefined : `${ino}:${birthtimeNs}`;
}

/** Whether a folder is there, and no link is on the way to it. */
export function isFolder(tree: Tree, path: string): boolean {
  return orElse(
    () => tree.look(path).kind === "folder",
    hasCode("ENOTDIR", "ELOOP"), // a link on the way
    () => false,
  );
}
