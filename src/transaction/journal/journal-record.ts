import { normalisePath } from "../../core/relative-path.ts";
import type { Change, FileState } from "../change.ts";
import { specialOf } from "../mode-notes.ts";
import type { JournalHeader, Outcome } from "./write-journal.ts";

/** A record of a journal whose fields are not known yet. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** The record in a text; one without fields when there is none. */
export function parseRecord(text: string): RawRecord {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The first line; undefined when it is none, or names what no transaction may touch. */
export function parseHeader(record: RawRecord): JournalHeader | undefined {
  const { line, kind, at, changeSetId, summary, reverses, work, row, left } = record;
  if (line !== "begin" || !Array.isArray(record["changes"])) return;
  if (kind !== "apply" && kind !== "undo" && kind !== "redo") return;
  const changes: Change[] = [];
  for (const value of record["changes"]) {
    const change = parseChange(toRecord(value));
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
    ...(typeof row === "string" && { row }),
    ...(typeof left === "string" && { left }),
  };
}

/** How it ended by its newest line that says so; undefined: it has not, or the roll-back began. */
export function findOutcome(records: readonly RawRecord[]): Outcome | undefined {
  const last = records.findLast(({ line }) => line === "end" || line === "back");
  return last && parseOutcome(last);
}

function parseOutcome(record: RawRecord): Outcome | undefined {
  if (record["status"] === "committed") return { status: "committed" };
  if (record["status"] !== "rolled_back") return undefined; // the roll-back was not finished
  const kept: readonly unknown[] = Array.isArray(record["kept"]) ? record["kept"] : [];
  return {
    status: "rolled_back",
    code: String(record["code"]),
    message: String(record["message"]),
    kept: kept.map(toRecord).map(({ path, beforeSha256 }) => ({
      path: String(path),
      beforeSha256: typeof beforeSha256 === "string" ? beforeSha256 : null,
    })),
  };
}

function parseChange(record: RawRecord): Change | undefined {
  const normal = normalisePath(String(record["path"]));
  if (!normal.ok) return undefined;
  const { path } = normal;
  const mode = toMode(record["mode"]);
  const before = parseState(record["before"]);
  const after = parseState(record["after"]);
  switch (record["kind"]) {
    case "mkdir":
      return { kind: "mkdir", path, mode };
    case "rmdir":
      return { kind: "rmdir", path, mode, ...specialOf(Number(record["special"] ?? 0)) };
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
  const { sha256, mode, sizeBytes, special, unlisted, uid, gid } = toRecord(value);
  if (typeof sha256 !== "string" || !/^[a-f0-9]{64}$/.test(sha256)) return undefined;
  const had = specialOf(Number(special ?? 0));
  const listed = unlisted === undefined ? {} : { unlisted: toMode(unlisted) };
  const owner = isId(uid) && isId(gid) ? { uid, gid } : {};
  return { sha256, mode: toMode(mode), sizeBytes: Number(sizeBytes), ...had, ...listed, ...owner };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Who may read, write and run it; what would lend a person's rights to others is left out. */
function toMode(value: unknown): number {
  return Number(value) & 0o777;
}

function toRecord(value: unknown): RawRecord {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
