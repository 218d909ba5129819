import { describe, expect, test } from "bun:test";
import { OWNER, openBench } from "./bench.ts";

const OTHER = 78;
const FOLDER = "/home/anna smith/.papa-yu";
const MESSAGE = `agent.max_tokens_per_day = 5 in "${FOLDER}/config.toml" is reached`;
const failed = async () => ({ ok: false, code: "LLM_BUDGET", message: MESSAGE }) as const;
const said = async () => ({ ok: false, message: "unused", said: MESSAGE }) as const;

/** What the channel itself answers with the reason of a failure. */
const FAILURES = [
  { name: "a voice message", options: { transcribe: failed } },
  { name: "a file", options: { saveFile: failed } },
  { name: "a file, in words for the person", options: { saveFile: said } },
] as const;
const GROUP = { chat: { id: -7, type: "group", title: "Team" } } as const;
const READERS = [
  {
    name: "tells the owner where it is",
    userId: OWNER,
    chat: {},
    shown: `"${FOLDER}/config.toml"`,
  },
  { name: "tells another no folder", userId: OTHER, chat: {}, shown: '"…/config.toml"' },
  { name: "tells a group no folder", userId: OWNER, chat: GROUP, shown: '"…/config.toml"' },
] as const;

describe.each(FAILURES)("the failure of $name", ({ name, options }) => {
  test.each(READERS)("$name", async ({ userId, chat, shown }) => {
    await using bench = await openBench({
      options: { ...options, allowedUserIds: () => [OWNER, OTHER] },
    });
    bench.api.files.set("f", { path: "voice/file_1.oga", content: Buffer.from("x") });
    const file = { file_id: "f", file_unique_id: "f" };
    const sent = name.startsWith("a voice")
      ? { voice: { ...file, duration: 3 } }
      : { document: { ...file, file_name: "a.txt", file_size: 1 } };
    const caption = "chat" in chat ? addressed(bench.api.username) : {};
    bench.api.say(userId, "", { text: undefined, ...chat, ...caption, ...sent });
    await bench.api.waitForText(`agent.max_tokens_per_day = 5 in ${shown} is reached`);
    expect(bench.api.texts().join("\n").includes(FOLDER)).toBe(shown.includes(FOLDER));
  });
});

/** In a group the bot is called by its name. */
function addressed(username: string) {
  const caption = `@${username}`;
  return { caption, caption_entities: [{ type: "mention", offset: 0, length: caption.length }] };
}
