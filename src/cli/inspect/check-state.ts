import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { errorMessage } from "../../core/app-error.ts";
import { toLocalTime } from "../../core/clock.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createPairing } from "../../store/chats/chats.ts";
import {
  copiesDir,
  examineState,
  listCopies,
  StateError,
  statePath,
} from "../../store/open/open.ts";
import { countRubbish } from "../../store/settings/settings.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";

const DAY_MS = 24 * 3_600_000;
/** A machine sleeps over a weekend. */
const OLD_DAYS = 4;

/** Whether the database is whole, and what helps when it is not; each trouble has its own advice. */
export function checkDatabase(home: string, words: DoctorWords): Finding {
  const name = "database";
  const path = statePath(home);
  try {
    const seen = examineState(home);
    if (seen === "none") return { name, state: "ok", found: words.database.absent, mend: "" };
    const found = seen === "pages" ? words.joins.of(path, words.database.pages) : path;
    return checkNotes(path, words) ?? { name, state: "ok", found, mend: "" };
  } catch (error) {
    if (!(error instanceof StateError)) {
      return {
        name,
        state: "failed",
        found: errorMessage(error),
        mend: words.database.advice.disk,
      };
    }
    const state = error.trouble === "locked" ? "warning" : "failed";
    const found = words.joins.of(path, error.reason);
    return { name, state, found, mend: words.database.advice[error.trouble] };
  }
}

/** The finding about notes that papa-yu made for itself and cannot read; they stop nothing. */
function checkNotes(path: string, { joins, database }: DoctorWords): Finding | undefined {
  using store = new Database(path, { readonly: true });
  const count = countRubbish(store);
  if (count === 0) return undefined;
  const found = joins.of(path, database.notes(count));
  return { name: "database", state: "warning", found, mend: database.notesMend };
}

/** Whom a code let in; nobody where that cannot be read, of which {@link checkDatabase} tells. */
export function listPaired(home: string): readonly number[] {
  try {
    using store = new Database(statePath(home), { readonly: true });
    return createPairing(store)
      .paired()
      .map(({ userId }) => userId);
  } catch {
    return [];
  }
}

/** What there is to go back to. */
export function checkCopies(home: string, now: number, words: DoctorWords): Finding {
  const name = "copies";
  const [newest, ...older] = listCopies(home);
  if (!newest) {
    return { name, state: "ok", found: words.copies.none, mend: words.copies.daily };
  }
  const days = Math.floor((now - newest.madeAt) / DAY_MS);
  const bytes = [newest, ...older].reduce((sum, { path }) => sum + statSync(path).size, 0);
  const size = words.megabytes((bytes / 1024 / 1024).toFixed(1));
  const at = toLocalTime(newest.madeAt);
  const found = words.copies.found(copiesDir(home), older.length + 1, size, at);
  return days < OLD_DAYS
    ? { name, state: "ok", found, mend: "" }
    : { name, state: "warning", found, mend: words.copies.old };
}
