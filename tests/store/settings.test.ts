import { expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { createSettings } from "../../src/store/settings.ts";

test("createSettings() keeps the newest value of a key", () => {
  const settings = createSettings(openStore(":memory:"));
  expect(settings.get("a.b")).toBeUndefined();
  settings.set("a.b", "1");
  settings.set("a.b", "");
  settings.set("a.b' OR 1=1", "x");
  expect(settings.get("a.b")).toBe("");
});
