import { constants, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, systemErrorCode } from "../core/app-error.ts";
import { normalisePath } from "../core/relative-path.ts";
import { STATE_DIR, type Workspace } from "../workspace/workspace.ts";
import type { Change, FileState } from "./change.ts";
import { JOURNAL_FILE, type JournalHeader, type Outcome } from "./journal.ts";

/** A journal as it stands on disk; without an outcome the transaction is unfinished. */
export interface JournalRecord {
  readonly txId: string;
  /** Undefined when the first line never reached the disk: then nothing was changed. */
  readonly header: JournalHeader | undefined;
  readonly outcome: Outcome | undefined;
}

/** Ids of all transactions of a workspace, oldest first. */
export function listTransactions(workspace: Workspace): readonly string[] {
  try {
    const dir = join(workspace.root, STATE_DIR, "tx");
    assertNoLink(join(workspace.root, STATE_DIR));
    assertNoLink(dir);
    const entries = readdirSync(dir, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return folders.filter((name) => /^tx_[0-9a-z]+$/.test(name)).toSorted();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Reads one journal. A torn first or last line counts as never written; other damage, or a
 * version that this papa-yu does not know, is an error: guessing could lose a file.
 *
 * @throws AppError ERR_IO
 */
export function readJournal(workspace: Workspace, txId: string): JournalRecord {
  const dir = join(workspace.root, STATE_DIR, "tx", txId);
  const lines = readText(join(dir, JOURNAL_FILE)).split("\n");
  const isTorn = lines.length === 1; // the first line has no end yet
  const header = isTorn ? undefined : parseHeader(parseLine(lines[0] ?? ""));
  if (!isTorn && !header) {
    throw new AppError(
      "ERR_IO",
      `Cannot read the journal "${join(dir, JOURNAL_FILE)}": it is damaged or from a newer papa-yu; see docs/recovery.md, then move its folder away`,
    );
  }
  const last = lines.map(parseLine).findLast(({ line }) => line === "end" || line === "back");
  return { txId, header, outcome: last && parseOutcome(last) };
}

/** The folder may have come with somebody's repository: history is not read from elsewhere. */
function assertNoLink(path: string): void {
  if (!lstatSync(path).isSymbolicLink()) return;
  throw new AppError("ERR_IO", `Cannot use "${path}": it is a link; move it away`);
}

type Line = Readonly<Record<string, unknown>>;

function readText(path: string): string {
  try {
    const flag = constants.O_RDONLY | constants.O_NOFOLLOW; // another's is none of ours
    return readFileSync(path, { encoding: "utf8", flag });
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

function parseLine(text: string): Line {
  try {
    return toLine(JSON.parse(text));
  } catch {
    return {};
  }
}

function parseHeader(line: Line): JournalHeader | undefined {
  const { kind, at, changeSetId, summary, reverses, work } = line;
  if (line["v"] !== 1 || line["line"] !== "begin" || !Array.isArray(line["changes"])) return;
  if (kind !== "apply" && kind !== "undo" && kind !== "redo") return;
  const changes: Change[] = [];
  for (const value of line["changes"]) {
    const change = parseChange(toLine(value));
    if (!change) return;
    changes.push(change);
  }
  return {
    kind,
    at: Number(at),
    changeSetId: String(changeSetId),
    summary: String(summary),
    changes,
    ...(typeof reverses === "string" && { reverses }),
    ...(typeof work === "string" && { work }),
  };
}

function parseChange(line: Line): Change | undefined {
  const normal = normalisePath(String(line["path"]));
  if (!normal.ok) return undefined;
  const { path } = normal;
  const mode = Number(line["mode"]);
  const before = parseState(line["before"]);
  const after = parseState(line["after"]);
  switch (line["kind"]) {
    case "mkdir":
    case "rmdir":
      return { kind: line["kind"], path, mode };
    case "create":
      return after && { kind: "create", path, after };
    case "update":
      return before && after && { kind: "update", path, before, after };
    case "delete":
      return before && { kind: "delete", path, before };
    default:
      return undefined;
  }
}

function parseState(value: unknown): FileState | undefined {
  const { sha256, mode, sizeBytes } = toLine(value);
  if (typeof sha256 !== "string" || !/^[a-f0-9]{64}$/.test(sha256)) return undefined;
  return { sha256, mode: Number(mode), sizeBytes: Number(sizeBytes) };
}

function parseOutcome(line: Line): Outcome | undefined {
  if (line["status"] === "committed") return { status: "committed" };
  if (line["status"] !== "rolled_back") return undefined; // the way back was not finished
  const kept: readonly unknown[] = Array.isArray(line["kept"]) ? line["kept"] : [];
  return {
    status: "rolled_back",
    code: String(line["code"]),
    message: String(line["message"]),
    kept: kept.map(toLine).map(({ path, beforeSha256 }) => ({
      path: String(path),
      beforeSha256: typeof beforeSha256 === "string" ? beforeSha256 : null,
    })),
  };
}

function toLine(value: unknown): Line {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
