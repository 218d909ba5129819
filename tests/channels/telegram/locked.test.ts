import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tempDir } from "../../support/temp.ts";
import { OWNER, openBench } from "./bench.ts";

test("updates that meet a locked database are logged once, until one gets through", async () => {
  using dir = tempDir();
  const path = join(dir.path, "x.db");
  using holder = new Database(path);
  using other = new Database(path);
  other.run("PRAGMA busy_timeout = 0");
  const fails: Record<string, number> = { one: 3, two: 2, three: 0, four: 1 };
  await using bench = await openBench({
    async say(text, emit) {
      const left = fails[text] ?? 0;
      fails[text] = left - 1;
      if (text === "four" && left > 0) throw new Error("it is broken");
      if (left > 0) holder.run("BEGIN IMMEDIATE");
      try {
        other.run("PRAGMA user_version = 1"); // a write
      } finally {
        if (left > 0) holder.run("ROLLBACK");
      }
      await emit({ kind: "content", text: `echo: ${text}` });
    },
  });
  for (const text of Object.keys(fails)) {
    bench.api.say(OWNER, text);
    await bench.api.waitForText(`echo: ${text}`);
  }
  const failed = bench.logged.filter(({ event }) => event === "TELEGRAM_UPDATE_FAILED");
  expect(failed.map(({ fields }) => fields["reason"])).toEqual([
    "database is locked",
    "database is locked",
    "it is broken",
  ]);
});
