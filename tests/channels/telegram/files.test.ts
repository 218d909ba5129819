import { expect, test } from "bun:test";
import type { SaveFile } from "../../../src/channels/channel.ts";
import { MAX_FILE_BYTES } from "../../../src/channels/channel.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { saveIncoming } from "../../../src/workspace/save-incoming/save-incoming.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { readFiles } from "../../support/read-files.ts";
import { tempDir } from "../../support/temp.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";

function saveInto(root: string): SaveFile {
  const workspace: Workspace = {
    name: "w",
    root,
    check: "none",
    checkTimeoutMs: 1,
    maxActions: 0,
    protectedPaths: [],
  };
  return (_, file, maxBytes) => saveIncoming(workspace, file, maxBytes);
}

/** Somebody sends a document; what getFile names is `path`. */
function send(bench: Bench, name: string, more: object = {}, path = `documents/${name}`): number {
  const id = `file-${name}`;
  bench.api.files.set(id, { path, content: Buffer.from(`content of ${name}`) });
  const document = {
    file_id: id,
    file_unique_id: id,
    file_name: name,
    file_size: 11 + name.length,
  };
  return bench.api.say(OWNER, "", { text: undefined, document, ...more });
}

function open(root: string, more: Parameters<typeof openBench>[0] = {}): Promise<Bench> {
  return openBench({ ...more, options: { saveFile: saveInto(root), ...more.options } });
}

test("handleMessage() saves a document without a caption and says where", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, "notes.txt");
  await bench.api.waitForText("Saved as inbox/notes.txt");
  expect(readFiles(dir.path)).toEqual({ "inbox/notes.txt": "content of notes.txt" });
  expect(bench.script.received).toEqual([]);
});

test("handleMessage() hands a caption on with the path of the file", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, "notes.txt", { caption: "sum this up" });
  await bench.api.waitForText("echo: sum this up");
  const [received] = bench.script.received;
  expect(received?.text).toBe("sum this up");
  expect(received?.attached).toMatch(/^Sent with this message[^]*<<<FILES [0-9a-f]{8}\n"/u);
  expect(received?.attached).toContain('"inbox/notes.txt"');
});

test("handleMessage() saves a file once when the daemon dies before its answer", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path, { say: () => new Promise(() => undefined) });
  send(bench, "notes.txt", { caption: "sum this up" });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  await bench.stop(0);
  await bench.restart();
  await bench.api.waitFor(() => bench.script.received.length === 2);
  const [first, again] = bench.script.received.map(({ attached }) =>
    attached?.replaceAll(/[0-9a-f]{8}/gu, "#"),
  );
  expect(again).toBe(first ?? "nothing");
  expect(readFiles(dir.path)).toEqual({ "inbox/notes.txt": "content of notes.txt" });
});

test("handleMessage() takes an album as one message", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, "a.txt", { media_group_id: "g", caption: "compare" });
  send(bench, "b.txt", { media_group_id: "g" });
  send(bench, "c.txt", { media_group_id: "g" });
  bench.api.say(OWNER, "next");
  await bench.api.waitForText("echo: next");
  expect(bench.script.received).toHaveLength(2);
  expect(bench.script.received[0]?.attached).toContain(
    '"inbox/a.txt", "inbox/b.txt", "inbox/c.txt"',
  );
  expect(bench.channel.status()).toMatchObject({ inbox: 0 });
});

test("handleMessage() takes every caption of an album, in order", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, "a.txt", { media_group_id: "g", caption: "this is the old one" });
  send(bench, "b.txt", { media_group_id: "g" });
  send(bench, "c.txt", { media_group_id: "g", caption: "this the new one; compare" });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  expect(bench.script.received[0]?.text).toBe("this is the old one\nthis the new one; compare");
});

test.each(["/ws notes", "  /ws notes"])(
  "handleMessage() saves nothing that came with the command %j, and says so",
  async (caption) => {
    using dir = tempDir();
    await using bench = await open(dir.path);
    send(bench, "a.txt", { caption });
    await bench.api.waitForText("echo: ");
    expect(bench.api.texts()).toEqual([
      `Not saved, because it came with a command: "a.txt". Send it again without one to keep it.\n\necho: ${caption}`,
    ]);
    expect(bench.script.received).toEqual([expect.objectContaining({ text: caption })]);
    expect(readFiles(dir.path)).toEqual({});
  },
);

test.each(["/plan sum it up", "/apply sum it up"])(
  "handleMessage() saves what came with %j, which is a goal",
  async (caption) => {
    using dir = tempDir();
    await using bench = await open(dir.path);
    send(bench, "a.txt", { caption });
    await bench.api.waitForText("echo: ");
    expect(bench.script.received[0]?.text).toBe(caption.slice(1).replace(" ", ": "));
    expect(bench.script.received[0]?.attached).toContain('"inbox/a.txt"');
  },
);

test("handleMessage() does the command of an album, whichever caption it is, and reads no other", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path, { options: { texts: () => textsIn("ru") } });
  send(bench, "a.txt", { media_group_id: "g" });
  send(bench, "b.txt", { media_group_id: "g", caption: "compare" });
  send(bench, "c.txt", { media_group_id: "g", caption: "/status" });
  send(bench, "d.txt", { media_group_id: "g", caption: "/undo" });
  await bench.api.waitForText("echo: /status");
  const [text] = bench.api.texts();
  expect(text).toContain('пришло с командой: "a.txt", "b.txt", "c.txt", "d.txt"');
  expect(text).toContain('не прочитано: "compare", "/undo"');
  expect(bench.script.received).toHaveLength(1);
  expect(readFiles(dir.path)).toEqual({});
  expect(bench.channel.status()).toMatchObject({ inbox: 0 });
});

test("handleMessage() does the command that a voice message came with, and does not listen", async () => {
  await using bench = await openBench({
    options: { transcribe: async () => ({ ok: true, text: "delete everything" }) },
  });
  const voice = { file_id: "v", duration: 3 };
  bench.api.say(OWNER, "", { text: undefined, voice, caption: "/status" });
  await bench.api.waitForText("echo: /status");
  expect(bench.script.received.map(({ text }) => text)).toEqual(["/status"]);
  expect(bench.api.calls.some(({ method }) => method === "getFile")).toBe(false);
});

test("createUpdateWorker() sets an album aside as the one message it is", async () => {
  using dir = tempDir();
  const say = (text: string) => {
    if (text === "deadly words") throw new Error("broken");
  };
  await using bench = await open(dir.path, { say });
  send(bench, "a.txt", { media_group_id: "g" });
  send(bench, "b.txt", { media_group_id: "g" });
  send(bench, "c.txt", { media_group_id: "g", caption: "deadly words" });
  bench.api.say(OWNER, "next");
  await bench.api.waitFor(() => bench.script.received.some(({ text }) => text === "next"));
  await bench.api.waitForText("set it aside");
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 0);
  expect(bench.api.texts()).toEqual([expect.stringContaining('"deadly words"')]);
});

test("handleMessage() takes all files of an album in a group whose caption addresses the bot", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path, { options: { allowedUserIds: () => [OWNER, 78] } });
  const chat = { id: -100, type: "group", title: "Team" };
  const caption = `@${bench.api.username} compare`;
  const mention = { type: "mention", offset: 0, length: bench.api.username.length + 1 };
  const first = { caption, caption_entities: [mention] };
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  send(bench, "before.txt", { chat, media_group_id: "other" });
  send(bench, "a.txt", { chat, media_group_id: "g", ...first });
  send(bench, "b.txt", { chat, media_group_id: "g" });
  send(bench, "theirs.txt", { chat, media_group_id: "g", from: { id: 78, is_bot: false } });
  send(bench, "c.txt", { chat, media_group_id: "g" });
  await bench.api.waitForText("echo: compare");
  expect(bench.script.received).toHaveLength(1);
  expect(bench.script.received[0]?.attached).toContain(
    '"inbox/a.txt", "inbox/b.txt", "inbox/c.txt"',
  );
  expect(Object.keys(readFiles(dir.path))).toHaveLength(3);
});

test.each([
  ["../../.bashrc", "hidden files are not taken"],
  [".env", "hidden files are not taken"],
  ["id_rsa", "protected"],
])("handleMessage() refuses %j, says so, and does not act on the caption", async (name, reason) => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, name, { caption: "install it" }, "documents/file_1");
  await bench.api.waitForText(reason);
  expect(readFiles(dir.path)).toEqual({});
  expect(bench.script.received).toEqual([]);
});

test("handleMessage() refuses what is over 20 MB without asking for it, and what states a wrong size", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  const document = { file_id: "big", file_name: "big.bin", file_size: MAX_FILE_BYTES + 1 };
  bench.api.say(OWNER, "", { text: undefined, document });
  await bench.api.waitForText('"big.bin": over 20 MB');
  expect(bench.api.calls.some(({ method }) => method === "getFile")).toBe(false);
  const liar = { file_id: "file-liar.bin", file_unique_id: "u", file_name: "liar.bin" };
  bench.api.say(OWNER, "", { text: undefined, document: liar });
  bench.api.files.set("file-liar.bin", {
    path: "documents/liar.bin",
    content: new Uint8Array(MAX_FILE_BYTES + 1),
  });
  await bench.api.waitForText("it is over 20 MB");
  expect(readFiles(dir.path)).toEqual({});
});

test.each([
  "../../secret",
  "/etc/passwd",
  "documents//x",
  "documents/%2e%2e/x",
  "a?b",
  "http://x/y",
])("fetchFile() does not follow Telegram to %j", async (path) => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  send(bench, "notes.txt", {}, path);
  await bench.api.waitForText("Telegram does not give this file");
  expect(readFiles(dir.path)).toEqual({});
});

test("handleMessage() tries again when the line breaks, and names no token when it gives up", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  bench.api.fail("file", { kind: "reset" });
  send(bench, "once.txt");
  await bench.api.waitForText("Saved as inbox/once.txt");
  bench.api.fail("file", { kind: "status", status: 502 }, 3);
  send(bench, "never.txt");
  await bench.api.waitForText("set it aside");
  expect(JSON.stringify([bench.logged, bench.api.texts()])).not.toContain("test-token");
  expect(readFiles(dir.path)).toEqual({ "inbox/once.txt": "content of once.txt" });
});

test("handleMessage() writes down a voice message, shows the words and acts on them", async () => {
  await using bench = await openBench({
    options: {
      async transcribe({ audio }) {
        return { ok: true, text: `${Buffer.from(audio).toString()} <loud>` };
      },
    },
  });
  bench.api.files.set("v", { path: "voice/file_1.oga", content: Buffer.from("fix the test") });
  bench.api.say(OWNER, "", { text: undefined, voice: { file_id: "v", duration: 3 } });
  await bench.api.waitForText("echo:");
  expect(bench.api.texts()).toEqual(["🎤 fix the test <loud>", "echo: fix the test <loud>"]);
});

test("handleMessage() hears a voice message once, and shows its words once, however often it is tried", async () => {
  let heard = 0;
  let tries = 0;
  await using bench = await openBench({
    say(text, emit) {
      tries++;
      if (tries === 1) throw new Error("it fails once");
      return tries === 2 ? new Promise(() => undefined) : emit({ kind: "content", text });
    },
    options: { transcribe: async () => ({ ok: true, text: `take ${++heard}` }) },
  });
  bench.api.files.set("v", { path: "voice/file_1.oga", content: Buffer.from("x") });
  const voice = { file_id: "v", duration: 3 };
  bench.api.say(OWNER, "", { text: undefined, voice, caption: "note:" });
  await bench.api.waitFor(() => tries === 2);
  await bench.die();
  await bench.restart();
  await bench.api.waitForText("note:");
  expect(bench.script.received.map(({ text }) => text)).toEqual(
    Array.from({ length: 3 }, () => "note:\n\ntake 1"),
  );
  expect(bench.api.texts()).toEqual(["🎤 take 1", "note:\n\ntake 1"]);
  expect(heard).toBe(1);
  const rows = bench.store.query("SELECT update_json FROM inbox").all();
  expect(JSON.stringify(rows)).not.toContain("take");
});

test.each([
  ["no endpoint", undefined, 3, "не заданы transcription"],
  ["a refusal", async () => ({ ok: false, message: "HTTP 401" }) as const, 3, "HTTP 401"],
  [
    "a cap that is reached",
    async () => ({ ok: false, code: "LLM_BUDGET", message: "the cap" }) as const,
    3,
    "Лимит токенов или расходов исчерпан, модель не спрашивали. Подробно: the cap",
  ],
  ["silence", async () => ({ ok: true, text: "" }) as const, 3, "не услышал слов"],
  ["an hour of it", async () => ({ ok: true, text: "x" }) as const, 3600, "Слишком длинное"],
])("handleMessage() answers a voice message with %s", async (_, transcribe, duration, answer) => {
  const options = { texts: () => textsIn("ru"), ...(transcribe && { transcribe }) };
  await using bench = await openBench({ options });
  bench.api.files.set("v", { path: "voice/file_1.oga", content: Buffer.from("x") });
  bench.api.say(OWNER, "", { text: undefined, voice: { file_id: "v", duration } });
  await bench.api.waitForText(answer);
  expect(bench.script.received).toEqual([]);
});

test("/cancel ends a download, leaves nothing of it, and goes on", async () => {
  using dir = tempDir();
  await using bench = await open(dir.path);
  bench.api.fail("file", { kind: "hang" });
  send(bench, "a.txt", { media_group_id: "g", caption: "compare" });
  send(bench, "b.txt", { media_group_id: "g" });
  await bench.api.waitFor(() => Object.keys(readFiles(dir.path)).length === 1);
  bench.api.say(OWNER, "/cancel");
  await bench.api.waitForText("Cancelled");
  await bench.api.waitForText("Stopping what runs here.");
  bench.api.say(OWNER, "next");
  await bench.api.waitForText("echo: next");
  expect(readFiles(dir.path)).toEqual({});
  expect(bench.script.received.map(({ text }) => text)).toEqual(["next"]);
  expect(bench.channel.status()).toMatchObject({ inbox: 0 });
});

test("/cancel ends the transcription of a voice message, whatever the endpoint answers then", async () => {
  const cancelled = Promise.withResolvers<void>();
  await using bench = await openBench({
    options: {
      async transcribe(_, signal) {
        signal.addEventListener("abort", () => cancelled.resolve());
        await cancelled.promise;
        return { ok: true, text: "delete everything" };
      },
    },
  });
  bench.api.files.set("v", { path: "voice/file_1.oga", content: Buffer.from("x") });
  bench.api.say(OWNER, "", { text: undefined, voice: { file_id: "v", duration: 3 } });
  await bench.api.waitFor(() => bench.api.calls.some(({ method }) => method === "getFile"));
  bench.api.say(OWNER, "/cancel");
  await bench.api.waitForText("Cancelled");
  expect(bench.script.received).toEqual([]);
});

test.each([
  ["less than was told", undefined, "short"],
  ["more than was told", undefined, "x".repeat(2000)],
  ["nothing", undefined, ""],
  ["a part of it", 206, "x".repeat(1000)],
  ["no content", 204, "x".repeat(1000)],
])(
  "fetchFile() asks again for a file of which Telegram gives %s, then refuses it",
  async (_, status, content) => {
    using dir = tempDir();
    await using bench = await open(dir.path);
    const document = { file_id: "f", file_unique_id: "u", file_name: "a.txt", file_size: 1000 };
    const give = (text: string) =>
      bench.api.files.set("f", { path: "documents/f", content: Buffer.from(text) });
    give(content);
    if (status !== undefined) bench.api.fail("file", { kind: "status", status }, 3);
    bench.api.say(OWNER, "", { text: undefined, document, caption: "sum it up" });
    await bench.api.waitForText('"a.txt": Telegram gave only a part of it');
    expect(readFiles(dir.path)).toEqual({});
    expect(bench.script.received).toEqual([]);
    give("x".repeat(1000));
    if (status !== undefined) bench.api.fail("file", { kind: "status", status }, 2);
    bench.api.say(OWNER, "", { text: undefined, document, caption: "sum it up" });
    await bench.api.waitForText("echo: sum it up");
    expect(readFiles(dir.path)).toEqual({ "inbox/a.txt": "x".repeat(1000) });
  },
);

test.each([
  ["names no file", { path: "../x" }, "Telegram не отдаёт этот файл"],
  ["has no such file", undefined, "Telegram не отдаёт этот файл (400 "],
] as const)(
  "a file that Telegram %s is told in the language of the person",
  async (_, file, answer) => {
    await using bench = await openBench({ options: { texts: () => textsIn("ru") } });
    if (file) bench.api.files.set("f", { ...file, content: Buffer.from("x") });
    const named = { file_id: "f", file_unique_id: "f" };
    bench.api.say(OWNER, "", { text: undefined, document: { ...named, file_name: "n.txt" } });
    await bench.api.waitForText(`"n.txt": ${answer}`);
    if (file) expect(bench.api.texts()).toEqual([`"n.txt": ${answer}`]);
  },
);

test("files that are forwarded together are answered once, and the next ones again", async () => {
  await using bench = await openBench();
  const { forwarded } = textsIn("en").telegram;
  const forward = (album: string | undefined, id: string) =>
    bench.api.say(OWNER, "", {
      text: undefined,
      photo: [{ file_id: id, file_unique_id: id }],
      ...(album !== undefined && { media_group_id: album }),
      forward_origin: { type: "user" },
    });
  for (let n = 0; n < 10; n++) forward("one", `a${n}`);
  for (let n = 0; n < 3; n++) forward("two", `b${n}`);
  forward(undefined, "c");
  forward(undefined, "d");
  bench.api.say(OWNER, "done");
  await bench.api.waitForText("echo: done");
  expect(bench.api.texts()).toEqual([...Array(4).fill(forwarded), "echo: done"]);
});
