import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../../../src/store/open/open.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { tempDir } from "../../support/temp.ts";
import { OWNER, openBench } from "./bench.ts";

const LONG = "words ".repeat(600);

test("a full disk is reported to the owner without the outbox, once, and what came in is answered then", async () => {
  using dir = tempDir();
  const home = join(dir.path, "home");
  mkdirSync(home);
  await using bench = await openBench({
    store: openState(home),
    options: { texts: () => textsIn("ru") },
  });
  const { api, store } = bench;
  api.say(OWNER, "before");
  await api.waitForText("echo: before");
  // SQLite itself says that there is no room for one page more.
  const pages = store.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count;
  store.run(`PRAGMA max_page_count = ${pages}`);
  const ids = ["one", "two", "three", "four", "five", "six"].map((each) =>
    api.say(OWNER, `${each} ${LONG}`),
  );
  const { diskFull } = textsIn("ru").telegram;
  await api.waitForText(diskFull);
  await bench.api.waitFor(() => bench.channel.status()["state"] === "failed: database");
  expect(await bench.channel.deliver(`a notice ${LONG.repeat(5)}`)).toBe("delivered");
  await api.waitForText("a notice");
  const last = ids.at(-1) ?? 0;
  expect(api.calls.some(({ payload }) => payload["offset"] === last + 1)).toBe(false);
  store.run("PRAGMA max_page_count = 1000000");
  for (const each of ["one", "six"]) await api.waitForText(`echo: ${each}`);
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 0);
  expect(api.texts(OWNER).filter((text) => text === diskFull)).toHaveLength(1);
  expect(api.texts(OWNER).filter((text) => text.startsWith("echo: one"))).toHaveLength(1);
});
