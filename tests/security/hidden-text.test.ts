import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderEvent } from "../../src/channels/render-event.ts";
import { type Message, toParts, toSends } from "../../src/channels/telegram/message/message.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { toFilters } from "../../src/cli/run-command-line.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { createLog } from "../../src/trace/log.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const PLACE = { chatId: 1, threadId: undefined };

/** What turns text, joins or hides in it, or commands a terminal. */
const HIDDEN: Readonly<Record<string, string>> = {
  "an override": "\u202e",
  "an embedding": "\u202a",
  "an isolate": "\u2066",
  "the end of one": "\u2069",
  "a mark of direction": "\u200f",
  "a blank of no width": "\u200b",
  "a joiner": "\u2060",
  "a byte order mark": "\ufeff",
  "a soft hyphen": "\u00ad",
  "a tag": "\u{e0041}",
  "a filler": "\u3164",
  "a line separator": "\u2028",
  "an escape sequence": "\u001b[2J",
  "a C1 command": "\u009b2J",
  "a NUL": "\0",
  "a bell": "\u0007",
};

/** Where people read, besides Telegram. */
const EDGES: Readonly<Record<string, (text: string) => string>> = {
  "the log": (text) => {
    let line = "";
    createLog({ write: (each) => (line = each), redact: String, now: () => 0 })("NOTICE", { text });
    return line;
  },
  "what a command prints": (text) => toFilters(["preview", "plan_1"]).stdout?.(text) ?? text,
  "what it says of failures": (text) => toFilters(["status", "--json"]).stderr?.(text) ?? text,
  "an answer in a terminal": (text) => renderEvent({ kind: "content", text }, textsIn("en")).text,
};

describe.each(Object.entries(HIDDEN))("every edge that people read spells out %s", (_, hidden) => {
  const text = `a${hidden}b`;
  const buttons = [{ label: text, press: { act: "approve", ref: "ap_1" } }] as const;
  const file = { absolute: "/x", sha256: "", isPhoto: false, otherwise: "" };
  const messages: readonly Message[] = [
    { kind: "text", html: `<b>${text}</b>`, buttons },
    { kind: "document", filename: text, content: text, caption: text, buttons },
    { kind: "file", filename: "a.txt", caption: text, ...file, buttons: [] },
  ];

  test.each(Object.entries(EDGES))("in %s", (_edge, show) => {
    expect(show(text)).not.toContain(hidden);
    expect(show(text)).toMatch(/\\u(?:\{|[0-9a-f]{4})/);
  });

  test.each(messages)("in a message of kind $kind", (message) => {
    const sends = JSON.stringify(toSends(PLACE, message));
    expect(sends).not.toContain(hidden);
    expect(sends).not.toContain(JSON.stringify(hidden).slice(1, -1));
    expect(sends).toContain("\\\\u{");
  });
});

test("toParts() leaves what people write as it is", () => {
  const words = "Привет 你好\u3000 👩‍💻 ❤️ نمی‌خواهم\ttab\nline";
  expect(toParts(words)).toEqual([words]);
});

describe("a colour of our own in words of others", () => {
  const RED = "\u001b[31m";

  test("is spelled out by every command that shows no diff and no Markdown", () => {
    const passing = Object.keys(COMMANDS).filter((name) => {
      const { stdout, stderr } = toFilters([name]);
      return [stdout, stderr].some((filter) => (filter ? filter(RED) : RED).includes("\u001b"));
    });
    const painting = ["demo", "start", "chat", "ask", "plan", "preview", "apply", "undo", "tool"];
    expect(passing.toSorted()).toEqual(painting.toSorted());
  });

  test("reaches no terminal from a folder's name or a configuration's key", async () => {
    using dir = tempDir();
    const folder = join(dir.path, `d${RED}red`);
    writeTree(folder, { "a.txt": "one\n" });
    const config = `[mcp.servers.x]
command = ["true"]
[mcp.servers.x.env]
"\\u001b[31mA" = "v"
[default]
planner = "offline"
[[workspaces]]
name = "notes"
path = "d\\u001b[31mred"
check = false
`;
    const sandbox = createSandbox(dir.path, config);
    const patch = join(dir.path, "p.diff");
    writeFileSync(patch, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
    const commands = [
      ["config", "check"],
      ["config", "path"],
      ["doctor"],
      ["history"],
      ["check"],
      ["preview", "plan_0"],
      ["history", "-w", `${RED}x`],
      ["apply", "--patch", patch, "--yes"],
      ["apply", "--patch", patch, "--yes"],
      ["undo"],
      ["history"],
    ];
    for (const command of commands) {
      const { stdout, stderr } = await sandbox.run(...command);
      expect([command, stdout + stderr]).toEqual([command, expect.not.stringContaining(RED)]);
      expect(stdout + stderr).not.toBe("");
    }
  });
});
