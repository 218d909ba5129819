import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isKeepable, openHistory } from "../../src/cli/chat/line-history.ts";
import { tempDir } from "../support/temp.ts";

describe("openHistory()", () => {
  test("keeps lines over chats, the newest first, for the owner alone", () => {
    using dir = tempDir();
    openHistory(dir.path).add("one");
    openHistory(dir.path).add("two ⏎ я");
    expect(openHistory(dir.path).lines).toEqual(["two ⏎ я", "one"]);
    expect(statSync(join(dir.path, "history")).mode & 0o777).toBe(0o600);
  });

  test("is bounded", () => {
    using dir = tempDir();
    const path = join(dir.path, "history");
    writeFileSync(path, Array.from({ length: 5000 }, (_, number) => `${number}\n`).join(""));
    const { lines } = openHistory(dir.path);
    expect([lines.length, lines[0]]).toEqual([500, "4999"]);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(501);
  });

  test("is empty and no hindrance where it cannot be read or written", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "history"));
    const history = openHistory(dir.path);
    history.add("lost");
    expect(history.lines).toEqual([]);
  });
});

describe("isKeepable()", () => {
  test("keeps what people write", () => {
    for (const line of [
      "plan: rename parseConfig to loadConfig in src/config/load/load.ts",
      "/ws notes",
      "why does tests/http/fetch-guarded-and-redirected.test.ts fail?",
      "разбери src/workspace/path-guard-table.test.ts⏎и почини",
      "what is a token in this parser?",
    ]) {
      expect([line, isKeepable(line)]).toEqual([line, true]);
    }
  });

  test("leaves out what looks like a key, what is none, and what begins with a blank", () => {
    for (const line of [
      "",
      "  ",
      " not this one",
      "use sk-abcdefghij0123456789ABCDEF please",
      "4242424242:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
      "the password is hunter2",
      "API_KEY=abc",
      "put 9f8e7d6c5b4a39281706f5e4d3c2b1a0 there",
      "x".repeat(2001),
    ]) {
      expect([line, isKeepable(line)]).toEqual([line, false]);
    }
  });
});
