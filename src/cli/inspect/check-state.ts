import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { errorMessage } from "../../core/app-error.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createPairing } from "../../store/chats/chats.ts";
import {
  adviceFor,
  copiesDir,
  examineState,
  listCopies,
  StateError,
  statePath,
} from "../../store/open/open.ts";
import { countRubbish } from "../../store/settings/settings.ts";

const DAY_MS = 24 * 3_600_000;
/** A machine sleeps over a weekend. */
const OLD_DAYS = 4;

/** Whether the database is whole, and what helps when it is not; each trouble has its own advice. */
export function checkDatabase(home: string): Finding {
  const name = "database";
  const path = statePath(home);
  try {
    const seen = examineState(home);
    if (seen === "none") return { name, state: "ok", found: "not there yet", mend: "" };
    const found = seen === "pages" ? `${path}: ${ONLY_PAGES}` : path;
    return checkNotes(path) ?? { name, state: "ok", found, mend: "" };
  } catch (error) {
    if (!(error instanceof StateError)) {
      return { name, state: "failed", found: errorMessage(error), mend: adviceFor("disk") };
    }
    const state = error.trouble === "locked" ? "warning" : "failed";
    return { name, state, found: `${path}: ${error.reason}`, mend: adviceFor(error.trouble) };
  }
}

const ONLY_PAGES =
  "every page is whole; it is large, so its indexes were not compared with its tables";

/** The finding about notes that papa-yu made for itself and cannot read; they stop nothing. */
function checkNotes(path: string): Finding | undefined {
  using store = new Database(path, { readonly: true });
  const count = countRubbish(store);
  if (count === 0) return undefined;
  const found = `${path}: ${count} of papa-yu's own notes cannot be read and count as not there`;
  const mend = "nothing has to be done: they are written anew when there is something to note";
  return { name: "database", state: "warning", found, mend };
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
export function checkCopies(home: string, now: number): Finding {
  const name = "copies";
  const [newest, ...older] = listCopies(home);
  if (!newest) {
    const found = "none of the database yet";
    return { name, state: "ok", found, mend: "a running daemon makes one a day" };
  }
  const days = Math.floor((now - newest.madeAt) / DAY_MS);
  const bytes = [newest, ...older].reduce((sum, { path }) => sum + statSync(path).size, 0);
  const size = (bytes / 1024 / 1024).toFixed(1);
  const found = `${copiesDir(home)}: ${older.length + 1} of the database, ${size} MB, the newest of ${new Date(newest.madeAt).toLocaleString("sv")}`;
  return days < OLD_DAYS
    ? { name, state: "ok", found, mend: "" }
    : { name, state: "warning", found, mend: "papayu start makes one, or the log says why not" };
}
