import { expect, test } from "bun:test";
import { join } from "node:path";

/** Where lists are lines, hunks and rows: a file says how many there are. */
const ROOMS =
  /^(?:patch|transaction|config\/masked|console\/diff|cli\/screen)\/|^channels\/[\w-]+\.ts$|mask-lines/u;

/** What is spread there all the same, and why it is short. */
const SHORT: Readonly<Record<string, string>> = {
  "patch/edits/find-before.ts": "edits of one action",
  "patch/hunks/read-patch.ts": "two names",
  "patch/places/place-hunks.ts": "the parts of one hunk that stand apart",
  "transaction/look-again.ts": "notes about one path",
  "transaction/undo/reversal.ts": "notes about one path",
};

const SPREAD = /\.(?:push|unshift|splice)\((?:[^()[\]{}]|\([^()]*\))*?\.\.\.(?![^()]*[\]}])/u;

test("no lines are handed over as arguments: so many do not fit on the stack", async () => {
  const src = join(import.meta.dir, "../../src");
  const found = new Set<string>();
  for (const file of [...new Bun.Glob("**/*.ts").scanSync(src)].toSorted()) {
    if (!ROOMS.test(file)) continue;
    if (SPREAD.test(await Bun.file(join(src, file)).text())) found.add(file);
  }
  expect([...found]).toEqual(Object.keys(SHORT));
});
