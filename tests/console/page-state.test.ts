import { describe, expect, test } from "bun:test";
import { countWaiting } from "../../src/console/client/client.ts";
import { createDaemon } from "../../src/console/page/daemon.ts";
import { createLazy } from "../../src/console/page/lazy.ts";
import { renderTitle } from "../../src/console/page/title.ts";
import { placeNamed, readRoute } from "../../src/console/route.ts";

describe("createLazy()", () => {
  test("loads once, keeps no failure, and has the parts of its own loader alone", async () => {
    let answers: readonly (() => Promise<string>)[] = [
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => Promise.resolve("parts"),
      () => Promise.resolve("others"),
    ];
    const lazy = createLazy(() => {
      const [next, ...rest] = answers;
      answers = rest;
      return next?.() ?? Promise.reject(new Error("asked too often"));
    });
    expect(lazy.state.value).toEqual({ kind: "waiting" });
    await Promise.all([lazy.load(), lazy.load()]);
    expect([lazy.state.value, answers.length]).toEqual([{ kind: "failed" }, 2]);
    const again = lazy.load();
    expect(lazy.state.value).toEqual({ kind: "waiting" });
    await again;
    await lazy.load();
    expect([lazy.state.value, answers.length]).toEqual([{ kind: "ready", parts: "parts" }, 1]);
  });
});

describe("createDaemon()", () => {
  test("knows another version and another start from the ones that gave the page", () => {
    const daemon = createDaemon();
    const isOther = () => [daemon.isOtherVersion.value, daemon.isOther.value];
    daemon.take({ version: "1", boot_id: "a" });
    expect(isOther()).toEqual([false, false]);
    daemon.take({ version: "1", boot_id: "b" });
    expect(isOther()).toEqual([false, true]);
    daemon.take({ version: "2", boot_id: "c" });
    expect(isOther()).toEqual([true, true]);
    daemon.take({ version: "1", boot_id: "d" });
    expect(isOther()).toEqual([false, true]);
  });
});

test("renderTitle() has what waits before the name of any place", () => {
  expect(["", "Chat"].map((place) => renderTitle(place, 0))).toEqual(["papa-yu", "Chat · papa-yu"]);
  expect(["", "Chat"].map((place) => renderTitle(place, 2))).toEqual([
    "(2) papa-yu",
    "(2) Chat · papa-yu",
  ]);
});

test("countWaiting() has what waits for a person, and not what papa-yu is at", () => {
  const [waits, isWorkedOn] = [{ isWorking: false }, { isWorking: true }];
  const all = [undefined, [], [isWorkedOn], [waits, isWorkedOn, waits]];
  expect(all.map((items) => countWaiting(items))).toEqual([0, 0, 0, 2]);
});

test("placeNamed() is another for each place, and the same for what it is narrowed to or the line in it", () => {
  const places = [
    ["/", ""],
    ["/chat", "?workspace=site"],
    ["/chat/http:a", ""],
    ["/review/ap", "#1R2"],
    ["/traces", "?model=x"],
    ["/report", "?days=7"],
    ["/settings/log", ""],
    ["/workspaces/a%2Fb", ""],
    ["/workspaces/a%2Fb/tx_1", "#1R2"],
    ["/nowhere", ""],
  ] as const;
  const named = places.map(([path, more]) => {
    const [hash, search] = more.startsWith("#") ? [more, ""] : ["", more];
    const own = placeNamed(readRoute(path, hash, search));
    expect(own).toBe(placeNamed(readRoute(path, "")));
    return own;
  });
  expect(new Set(named).size).toBe(places.length);
});
