import type { Database } from "bun:sqlite";
import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { type KnownRows, NOTHING_KNOWN } from "../known-rows.ts";

/** Without 0, O, 1 and I, which people confuse; 40 bits in a code. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;
const HOUR_MS = 3600_000;
const MAX_WAITING = 3;
const MAX_WRONG_TRIES = 5;
/** In the place of the hash of somebody's code: no code has it. */
const REFUSED = Buffer.alloc(32);

/** A stranger who was given a code. */
export interface WaitingUser {
  readonly userId: number;
  readonly name: string;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** Somebody who was let in. */
export interface PairedUser {
  readonly userId: number;
  readonly name: string;
  readonly pairedAt: number;
}

/** What became of a code somebody typed. */
export type PairResult =
  | { readonly kind: "paired"; readonly userId: number; readonly name: string }
  | { readonly kind: "wrong"; readonly triesLeft: number }
  | { readonly kind: "locked"; readonly until: number };

/** Strangers who wait and people who were let in; shared by the daemon and the command line. */
export interface Pairing {
  /** A code for a stranger; undefined while they have one, or while too many wait. */
  ask(user: { readonly id: number; readonly name: string }, now: number): string | undefined;
  /** Lets in whom the code was made for; a code works once. Wrong ones are counted. */
  pair(code: string, now: number): PairResult;
  waiting(now: number): WaitingUser[];
  /** Their code works no more, and for its hour they get no other; false when they do not wait. */
  refuse(userId: number, now: number): boolean;
  /** In the order in which they were; the same list as long as nobody is let in or removed. */
  paired(): readonly PairedUser[];
  /** False when nobody with this id was let in by a code. */
  remove(userId: number): boolean;
}

/**
 * Pairing in `state.db`: when the file is lost nobody is paired. Only hashes of codes are kept.
 * What bears an instant of the future was written before the clock was set back: a code is
 * over then, a wrong try counts from now on.
 */
export function createPairing(database: Database, known: KnownRows = NOTHING_KNOWN): Pairing {
  const lists = known.table<readonly PairedUser[]>();
  return {
    ask: (user, now) => database.transaction(ask).immediate(database, user, now),
    pair(code, now) {
      lists.forget("");
      return database.transaction(pair).immediate(database, code, now);
    },
    waiting: (now) => liveCodes(database, now).filter(isOpen).map(toWaiting),
    refuse(userId, now) {
      const waits = liveCodes(database, now).some((each) => each.userId === userId && isOpen(each));
      const sql = "UPDATE pairing_codes SET code_hash = ? WHERE user_id = ?";
      return waits && database.run(sql, [REFUSED, userId]).changes > 0;
    },
    paired: () => lists.get("", () => readPaired(database)),
    remove(userId) {
      lists.forget("");
      return database.run("DELETE FROM paired_users WHERE user_id = ?", [userId]).changes > 0;
    },
  };
}

function readPaired(database: Database): readonly PairedUser[] {
  return database
    .query<PairedUser, []>(
      "SELECT user_id AS userId, name, paired_at AS pairedAt FROM paired_users ORDER BY paired_at",
    )
    .all();
}

interface CodeRow {
  readonly userId: number;
  readonly name: string;
  readonly codeHash: Uint8Array;
  readonly createdAt: number;
}

interface Tries {
  readonly tries: number;
  readonly last: number;
}

function ask(
  database: Database,
  user: { readonly id: number; readonly name: string },
  now: number,
): string | undefined {
  const live = liveCodes(database, now);
  const isFull = live.filter(isOpen).length >= MAX_WAITING;
  if (isFull || live.some(({ userId }) => userId === user.id)) return undefined;
  const code = newCode();
  database.run("DELETE FROM pairing_codes WHERE created_at > ? OR created_at <= ?", [
    now,
    now - HOUR_MS,
  ]);
  database.run(
    "INSERT OR REPLACE INTO pairing_codes (user_id, name, code_hash, created_at) VALUES (?, ?, ?, ?)",
    [user.id, user.name, hashCode(user.id, code), now],
  );
  return code;
}

function pair(database: Database, code: string, now: number): PairResult {
  const { tries, last } = recentTries(database, now);
  if (tries >= MAX_WRONG_TRIES) return { kind: "locked", until: last + HOUR_MS };
  const typed = code.toUpperCase().replace(/[\s-]/gu, "");
  const found = liveCodes(database, now)
    .filter(isOpen)
    .find(({ userId, codeHash }) => timingSafeEqual(codeHash, hashCode(userId, typed)));
  if (!found) {
    database.run("INSERT INTO pairing_tries (at) VALUES (?)", [now]);
    return { kind: "wrong", triesLeft: MAX_WRONG_TRIES - tries - 1 };
  }
  const { userId, name } = found;
  database.run("DELETE FROM pairing_codes WHERE user_id = ?", [userId]);
  database.run("DELETE FROM pairing_tries");
  database.run("INSERT OR REPLACE INTO paired_users (user_id, name, paired_at) VALUES (?, ?, ?)", [
    userId,
    name,
    now,
  ]);
  return { kind: "paired", userId, name };
}

function isOpen({ codeHash }: CodeRow): boolean {
  return !REFUSED.equals(codeHash);
}

/** Codes of the last hour, oldest first, with those of who was refused. */
function liveCodes(database: Database, now: number): CodeRow[] {
  return database
    .query<CodeRow, [number, number]>(
      `SELECT user_id AS userId, name, code_hash AS codeHash, created_at AS createdAt
       FROM pairing_codes WHERE created_at <= ? AND created_at > ? ORDER BY created_at, user_id`,
    )
    .all(now, now - HOUR_MS);
}

/** How many wrong tries, and when the last was; forgotten once an hour has passed without another. */
function recentTries(database: Database, now: number): Tries {
  database.run("UPDATE pairing_tries SET at = ? WHERE at > ?", [now, now]);
  database.run("DELETE FROM pairing_tries WHERE (SELECT max(at) FROM pairing_tries) <= ?", [
    now - HOUR_MS,
  ]);
  const sql = "SELECT count(*) AS tries, coalesce(max(at), 0) AS last FROM pairing_tries";
  return database.query<Tries, []>(sql).get() ?? { tries: 0, last: 0 };
}

function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

function hashCode(userId: number, code: string): Buffer {
  return createHash("sha256").update(`${userId}:${code}`).digest();
}

function toWaiting({ userId, name, createdAt }: CodeRow): WaitingUser {
  return { userId, name, askedAt: createdAt, expiresAt: createdAt + HOUR_MS };
}
