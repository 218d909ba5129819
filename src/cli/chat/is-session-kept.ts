import { Database } from "bun:sqlite";
import { toSessionId } from "../../channels/socket/wire.ts";
import { statePath } from "../../store/open/open.ts";

/**
 * Whether anything is kept of a conversation that a terminal calls so; true where that cannot be read,
 * for then nobody knows that it is not. Only looked at: the database is the daemon's.
 */
export function isSessionKept(home: string, name: string): boolean {
  const id = toSessionId(name);
  try {
    using database = new Database(statePath(home), { readonly: true });
    return [
      "SELECT 1 FROM messages WHERE session_id = ? LIMIT 1",
      "SELECT 1 FROM sessions WHERE session_id = ?",
    ].some((sql) => database.query(sql).get(id) !== null);
  } catch {
    return true;
  }
}
