import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../../src/channels/channel.ts";
import { toLines } from "../../../src/channels/socket/to-lines.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { openScene, WRITER } from "../../agent/scene.ts";
import { startModelServer } from "../../support/model-server.ts";
import { openBench, previewOf } from "./bench.ts";

/** Clears the screen, sets the title, hides text, moves back, reorders. */
const EVIL = "\x1b[2J\x1b]0;t\x07\x9b8m\rsafe\b\b\0\u202e\u200b";
/** The same as far as a text file may contain it, most of it harmless. */
const EVIL_LINE = `${"x".repeat(400)}${EVIL.replace("\0", "")}`;
/** Everything that a terminal would obey; our own colours are taken out before. */
const OBEYED = /[^\P{Cc}\n\t]/u;
/** What must not be in anything that is shown for approval. */
const HIDDEN = /[\u202e\u200b]/u;

function textOf(event: AgentEvent, color: boolean): string {
  return toLines(event, textsIn("en"), { color, formats: false, counts: false })
    .map((line) =>
      line.type === "token" ? line.content : line.type === "error" ? line.message : "",
    )
    .join("");
}

describe("toLines()", () => {
  test("lets nothing in a painted diff command the terminal", () => {
    const diff = `--- a/${EVIL}\n+++ b/${EVIL}\n@@ -1 +1 @@\n-${EVIL}\n+${EVIL}\n`;
    const event = { kind: "approval", approvalId: "a", preview: previewOf(diff, EVIL) } as const;
    const bare = [0, 1, 7, 27, 31, 32, 36].reduce(
      (text, color) => text.replaceAll(`\x1b[${color}m`, ""),
      textOf(event, true),
    );
    expect(bare).not.toMatch(OBEYED);
    expect(bare).not.toMatch(HIDDEN);
  });

  test("paints whole lines of a diff and always turns the colour off", () => {
    const event = {
      kind: "approval",
      approvalId: "a",
      preview: previewOf("@@ -1,2 +1,2 @@\n-a\n+b\n c\n"),
    } as const;
    expect(textOf(event, true)).toContain(
      "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n c\n",
    );
  });
});

test("over the socket, with a real agent: hostile files, checks and models stay text", async () => {
  await using model = startModelServer([
    { kind: "tools", calls: [{ name: EVIL, arguments: {} }] },
    { kind: "text", text: `I say ${EVIL}` },
    { kind: "status", status: 400, body: { error: { message: EVIL } } },
  ]);
  using scene = await openScene({
    author: {
      ...WRITER,
      answer: (request) => WRITER.answer({ ...request, goal: `b.txt: ${EVIL_LINE}` }),
    },
    check: `[["sh", "-c", 'printf "\\033[2J\\007evil"; exit 1']]`,
    config: `[default]
provider = "local"
[providers.local]
base_url = "${model.url}"
model = "m"
[reliability]
max_retries = 0`,
    files: { "a.txt": EVIL },
  });
  await using bench = await openBench({ conversation: scene.conversation });
  const terminal = await bench.connect();
  const before = scene.tree();
  let shown = "";
  const nextLines = async () => {
    const { text, end } = await terminal.answer();
    shown += text + (end.type === "error" ? end.message : "");
    return text;
  };

  terminal.say(`plan: ${EVIL}`);
  await nextLines();
  terminal.say("ok");
  const asked = terminal.next("confirm");
  const { request_id } = await asked;
  await terminal.next("done");
  terminal.send({ type: "confirm_response", request_id, approved: true });
  expect(await nextLines()).toContain("Rolled back");
  terminal.say("chat");
  expect(await nextLines()).toContain("I say \\u{1b}[2J");
  terminal.say("chat");
  await nextLines();
  terminal.say(`/${EVIL}`);
  await nextLines();
  terminal.say(`/ws ${EVIL}`);
  await nextLines();
  expect(shown).not.toMatch(OBEYED);
  expect(shown).toContain("evil");
  expect(scene.tree()).toEqual(before);
});
