/**
 * Looks at a folder again and again, as an editor or a dev server would, until its parent says
 * stop; prints every state of every path that it saw.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2] ?? "";
const seen = new Set<string>();
let rounds = 0;
const over = new AbortController();

function look(prefix: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(join(root, prefix));
  } catch {
    return; // gone since it was listed
  }
  for (const name of names) {
    const path = prefix + name;
    if (path === ".papa-yu") continue;
    try {
      seen.add(`${path} ${readFileSync(join(root, path), "utf8")}`);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code !== "EISDIR") continue; // gone since it was listed
      seen.add(`${path}/`);
      look(`${path}/`);
    }
  }
}

void new Response(Bun.stdin.stream()).text().then(() => {
  over.abort();
});
process.stdout.write("ready\n");
while (!over.signal.aborted) {
  look("");
  rounds += 1;
  await Bun.sleep(0);
}
look(""); // the last state, however late this process was
process.stdout.write(`${JSON.stringify({ rounds, seen: [...seen] })}\n`);
