import { Database } from "bun:sqlite";

// Holds the lock for writing of the database that is named, until stdin ends.
using database = new Database(process.argv[2] ?? "");
database.run("BEGIN IMMEDIATE");
process.stdout.write("held\n");
for await (const _ of Bun.stdin.stream()) continue;
