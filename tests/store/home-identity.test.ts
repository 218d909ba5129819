import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOwnIdentity, KEY_FILE } from "../../src/store/open/home-identity.ts";
import { begunPath } from "../../src/store/open/state-files.ts";
import { tempDir } from "../support/temp.ts";

const KEY = "ab".repeat(32);
const sealWith = (id: string, key: string) =>
  createHmac("sha256", Buffer.from(key, "hex")).update(`state.db of ${id}`).digest("hex");
const identity = (id: string, seal?: string) => JSON.stringify({ id, ...(seal && { seal }) });
const own = identity("home_1", sealWith("home_1", KEY));

/** Whether it is that of a home with or without a known id and a key. */
function judge(stored: string, home: { id?: string; key?: string }, beside?: string): boolean {
  using dir = tempDir();
  if (home.id !== undefined) {
    const mark = { homeId: home.id, version: 1, roots: {} };
    writeFileSync(begunPath(dir.path), JSON.stringify(mark));
  }
  if (home.key !== undefined) writeFileSync(join(dir.path, KEY_FILE), `${home.key}\n`);
  return isOwnIdentity(stored, dir.path, beside);
}

const both = { id: "home_1", key: KEY };

test.each<readonly [string, boolean, readonly [...Parameters<typeof judge>]]>([
  ["its own, sealed", true, [own, both]],
  ["its own, where the key is gone", true, [own, { id: "home_1" }]],
  ["its own without a seal", true, [identity("home_1"), both]],
  ["its own, where the id is not known", true, [own, { key: KEY }]],
  ["any, where nothing is known", true, [identity("home_2"), {}]],
  ["another's, by its id", false, [identity("home_2"), { id: "home_1" }]],
  ["another's with its seal", false, [identity("home_2", sealWith("home_2", KEY)), both]],
  ["one of another key", false, [identity("home_1", sealWith("home_1", "cd".repeat(32))), both]],
  ["one of another key, where no id is known", false, [identity("home_1", "0"), { key: KEY }]],
  ["rubbish, where an id is known", false, ["rubbish", { id: "home_1" }]],
  ["rubbish, where none is known", true, ["rubbish", { key: KEY }]],
  ["that of the file beside it", true, [identity("home_1"), {}, identity("home_1")]],
  ["another than the file's beside it", false, [identity("home_2"), {}, identity("home_1")]],
  ["the home's, whatever the file says", true, [own, { id: "home_1" }, identity("home_2")]],
  ["rubbish beside a file with an id", false, ["rubbish", {}, identity("home_1")]],
])("isOwnIdentity() of %s is %p", (_, is, asked) => {
  expect(judge(...asked)).toBe(is);
});
