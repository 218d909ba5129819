import { expect, test } from "bun:test";
import { isAutoUseOn, setAutoUse } from "../../src/store/online/auto-use.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";

test("setAutoUse() holds for one folder, until it is set again", () => {
  const settings = createSettings(memoryStore());
  expect(isAutoUseOn(settings, "/w")).toBe(true);
  setAutoUse(settings, "/w", false);
  expect([isAutoUseOn(settings, "/w"), isAutoUseOn(settings, "/w2")]).toEqual([false, true]);
  setAutoUse(settings, "/w", true);
  expect(isAutoUseOn(settings, "/w")).toBe(true);
});
