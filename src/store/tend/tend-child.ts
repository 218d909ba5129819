import { Database } from "bun:sqlite";
import { setPriority } from "node:os";
import { toAppError } from "../../core/app-error.ts";
import { statePath } from "../open/open.ts";
import { type Tended, tendHere } from "./tend.ts";

const PATIENCE_MS = 60_000;
/** Whatever else the machine does goes first. */
const PRIORITY = 10;

// Written by no one but `tendState()`.
const task: { home: string; copyAt?: number } = JSON.parse(process.argv[2] ?? "");
setPriority(PRIORITY);
process.stdout.write(JSON.stringify(tend(task)));

function tend({ home, copyAt }: { home: string; copyAt?: number }): Tended {
  const path = statePath(home);
  try {
    // Not read-only: the last to close a database tidies up, and only who may write can.
    using database = new Database(path, { readwrite: true, strict: true });
    database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    return tendHere(database, home, copyAt);
  } catch (error) {
    const { code, message } = toAppError(error);
    return { ok: false, code, message };
  }
}
