/** The floor for the daemon: grammY, one SQLite file, one long poll after another. */
import { Database } from "bun:sqlite";
import { Api } from "grammy";

const database = new Database(process.argv[3] ?? ":memory:");
database.run("PRAGMA journal_mode = WAL");
database.run("CREATE TABLE IF NOT EXISTS updates (id INTEGER PRIMARY KEY, body TEXT)");
const api = new Api("1:bare", { apiRoot: process.argv[2] ?? "" });
await api.getMe();
while (true) await api.getUpdates({ timeout: 30 });
