import { type Act, type ChangeSet, json, readAct, readChangeSet } from "../../client/client.ts";

/** A workspace in the list. */
export interface WorkspaceLine {
  readonly name: string;
  readonly root: string;
  readonly state: string;
  /** Where a folder that is gone is configured. */
  readonly file: string | undefined;
  readonly transactions: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  readonly newest: Entry | undefined;
}

/** A check of a transaction. */
export interface EntryCheck {
  readonly command: string;
  readonly ok: boolean;
  readonly took_ms: number | undefined;
}

/** A transaction in the timeline. */
export interface Entry {
  readonly tx_id: string;
  readonly kind: string;
  readonly status: string;
  readonly at: number;
  readonly summary: string;
  readonly goal: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly channel: string;
  readonly routine: string | undefined;
  readonly checks: readonly EntryCheck[];
  readonly trace_id: string | undefined;
  readonly reverses: string | undefined;
  /** As the daemon says of one that is read by itself; in a timeline those around it say so. */
  readonly isTakenBack: boolean;
  readonly part: { readonly number: number; readonly all: number } | undefined;
  readonly error: string | undefined;
  readonly kept: readonly string[];
}

/** One workspace with a page of its past. */
export interface WorkspacePage extends WorkspaceLine {
  readonly entries: readonly Entry[];
  readonly older: string | undefined;
  readonly checks: readonly {
    readonly command: string;
    readonly from: string | undefined;
    readonly took_ms: number | undefined;
  }[];
  readonly preferences: readonly (readonly [string, string])[];
  readonly preferences_error: string | undefined;
}

/** What an undo or a redo would do. */
export interface TakeBack {
  readonly tx_id: string;
  readonly summary: string;
  readonly refused: string | undefined;
  readonly merged: readonly string[];
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
  readonly notes: readonly string[];
  readonly actions: readonly Act[];
  readonly digest: string | undefined;
  readonly set: ChangeSet;
}

const { fields, list, text, number, time, maybe } = json;

/** Reads what `GET /api/workspaces` gives. */
export function readWorkspaces(value: unknown): readonly WorkspaceLine[] {
  return list(fields(value)["workspaces"]).map(readLine);
}

function readLine(value: unknown): WorkspaceLine {
  const it = fields(value);
  return {
    name: text(it["name"]),
    root: text(it["root"]),
    state: text(it["state"]),
    file: maybe(it["file"], text),
    transactions: number(it["transactions"]),
    isMore: it["transactions_more"] === true,
    newest: maybe(it["newest"], readEntry),
  };
}

/** Reads what `GET /api/workspaces/NAME` gives. */
export function readWorkspace(value: unknown): WorkspacePage {
  const it = fields(value);
  return {
    ...readLine(value),
    entries: list(it["entries"]).map(readEntry),
    older: maybe(it["older"], text),
    checks: list(it["checks"]).map((each) => {
      const { command, from, took_ms } = fields(each);
      return { command: text(command), from: maybe(from, text), took_ms: maybe(took_ms, number) };
    }),
    preferences: Object.entries(fields(it["preferences"])).map(([key, preferred]) => {
      return [key, Array.isArray(preferred) ? preferred.join(", ") : String(preferred)] as const;
    }),
    preferences_error: maybe(it["preferences_error"], text),
  };
}

/** Reads one entry of the timeline, or a transaction. */
export function readEntry(value: unknown): Entry {
  const it = fields(value);
  const { created, updated, deleted } = fields(it["figures"]);
  const { channel, routine } = fields(it["asked"]);
  return {
    tx_id: text(it["tx_id"]),
    kind: text(it["kind"]),
    status: text(it["status"]),
    at: time(it["at"]) ?? 0,
    summary: text(it["summary"]),
    goal: text(it["goal"]),
    created: number(created),
    updated: number(updated),
    deleted: number(deleted),
    channel: text(channel),
    routine: maybe(routine, text),
    checks: list(fields(it["check"])["stages"]).map((each) => {
      const { command, ok, duration_ms } = fields(each);
      const words = list(command).map(text).join(" ");
      return { command: words, ok: ok === true, took_ms: maybe(duration_ms, number) };
    }),
    trace_id: maybe(it["trace_id"], text),
    reverses: maybe(it["reverses"], text),
    isTakenBack: it["taken_back"] === true,
    part: maybe(it["part"], (part) => {
      const { number: at, all } = fields(part);
      return { number: number(at), all: number(all) };
    }),
    error: maybe(it["error"], (error) => text(fields(error)["message"])),
    kept: list(it["kept"]).map(text),
  };
}

/** A transaction as a change set that can be read like any. */
export function readTransaction(value: unknown): ChangeSet {
  const it = fields(value);
  const id = text(it["tx_id"]);
  return { ...readChangeSet(value), approval_id: id, digest: id, state: "approved" };
}

/** Reads what `GET /api/workspaces/NAME/undo` gives. */
export function readTakeBack(value: unknown): TakeBack {
  const it = fields(value);
  const digest = maybe(it["digest"], text);
  const id = text(it["tx_id"]);
  return {
    tx_id: id,
    summary: text(it["summary"]),
    refused: maybe(it["refused"], (refused) => text(fields(refused)["message"])),
    merged: list(it["merged"]).map(text),
    conflicts: list(it["conflicts"]).map((each) => {
      const { path, reason } = fields(each);
      return { path: text(path), reason: text(reason) };
    }),
    notes: list(it["notes"]).map(text),
    actions: list(it["actions"]).map(readAct),
    digest,
    set: { ...readChangeSet(value), approval_id: id, digest: digest ?? "" },
  };
}
