import { describe, expect, test } from "bun:test";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";

const DAY_MS = 24 * 3_600_000;

describe("createCapabilities()", () => {
  test("remembers by provider and model, over a restart, for a day", () => {
    const settings = createSettings(memoryStore());
    createCapabilities(settings.of("capabilities."), () => 5).remember("p", "m", [
      "response_format",
      "tools",
    ]);
    const later = (now: number) => createCapabilities(settings.of("capabilities."), () => now);
    expect(later(DAY_MS).refused("p", "m")).toEqual(new Set(["response_format", "tools"]));
    expect(later(DAY_MS).refused("p", "other").size).toBe(0);
    expect(later(DAY_MS).refused("other", "m").size).toBe(0);
    expect(later(DAY_MS + 5).refused("p", "m").size).toBe(0);
  });

  test("adds to what is known, and forgets what it cannot read", () => {
    const settings = createSettings(memoryStore());
    const capabilities = createCapabilities(settings.of("capabilities."), () => 5);
    capabilities.remember("p", "m", ["tools"]);
    capabilities.remember("p", "m", ["temperature"]);
    expect(capabilities.refused("p", "m")).toEqual(new Set(["tools", "temperature"]));
    settings.of("capabilities.").set('["p","m"]', "now everything");
    expect(capabilities.refused("p", "m").size).toBe(0);
  });
});
