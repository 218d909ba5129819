import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../../security/redact/redact.ts";
import { writeDurably } from "../../system/write-durably.ts";

/** Lines that were typed, over the end of a chat. */
export interface LineHistory {
  /** The newest first. */
  readonly lines: readonly string[];
  add(line: string): void;
}

const KEPT_LINES = 500;
/** A longer line is a text, and nobody looks for it with an arrow key. */
const MAX_CHARS = 2_000;

/** The history of all chats of a home; one that cannot be read or written is no hindrance. */
export function openHistory(home: string): LineHistory {
  const path = join(home, "history");
  const all = attempt(() => readFileSync(path, "utf8").split("\n").slice(0, -1)) ?? [];
  const kept = all.slice(-KEPT_LINES);
  if (all.length > 2 * KEPT_LINES) {
    attempt(() => writeDurably(path, kept.map((line) => `${line}\n`).join("")));
  }
  return {
    lines: kept.toReversed(),
    add(line) {
      attempt(() => appendFileSync(path, `${line}\n`, { mode: 0o600 }));
    },
  };
}

/** Whether a line may be kept: it is short, begins with no blank, and holds nothing like a key. */
export function isKeepable(line: string): boolean {
  if (line.trim() === "" || line.startsWith(" ") || line.length > MAX_CHARS) return false;
  return createRedactor().redact(line) === line && !KEY_NAME.test(line) && !RANDOM_WORD.test(line);
}

const KEY_NAME =
  /(?:api[_-]?key|passw(?:or)?d|passphrase|secret|token|пароль|密码)\s*(?:[:=]|is\b)/i;
/** Long, of one piece, with letters and digits: a key, or a hash that nobody misses. */
const RANDOM_WORD = /(?<![\w/.-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{28,}/i;

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
