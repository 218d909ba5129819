import { expect, test } from "bun:test";
import { openStore } from "../../src/store/open/open-database.ts";
import { createSettings } from "../../src/store/settings/settings.ts";

test("createSettings() keeps the newest value of a key", () => {
  const settings = createSettings(openStore(":memory:"));
  expect(settings.get("a.b")).toBeUndefined();
  settings.set("a.b", "1");
  settings.set("a.b", "");
  settings.set("a.b' OR 1=1", "x");
  expect(settings.get("a.b")).toBe("");
});

test("createSettings() lists what is kept below a prefix, and forgets a key", () => {
  const settings = createSettings(openStore(":memory:"));
  for (const key of ["a.2", "a.10", "a", "b.1", "a.é%_"]) settings.set(key, `of ${key}`);
  expect(settings.below("a.")).toEqual(["of a.10", "of a.2", "of a.é%_"]);
  settings.remove("a.10");
  settings.remove("a.none");
  expect(settings.below("a.")).toEqual(["of a.2", "of a.é%_"]);
});
