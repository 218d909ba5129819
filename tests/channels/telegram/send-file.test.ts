import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emit, FileEvent } from "../../../src/channels/channel.ts";

import { toCodeEntities } from "../../../src/channels/telegram/message/rich-text.ts";
import { sha256 } from "../../../src/core/sha256.ts";
import { holdsLink } from "../../../src/security/plain-links.ts";
import { tempDir } from "../../support/temp.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";

const DOUBT = "(may be a duplicate) ";

const NOT_SENT = "could not be sent";

/** A conversation that answers with one file. */
async function open(path: string, content: string, sizeBytes = content.length) {
  const dir = tempDir();
  const absolute = join(dir.path, "file");
  writeFileSync(absolute, content);
  const hash = sha256(content);
  const file = { workspace: "notes", path, absolute, sha256: hash, sizeBytes };
  const event: FileEvent = { kind: "file", fileId: "file_1", ...file };
  const bench = await openBench({ say: (_, emit) => emit(event) });
  return { dir, absolute, bench, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

const methods = ({ api }: Bench) => api.calls.map(({ method }) => method);

test("sendStoredFile() sends a document under its name with its path below", async () => {
  await using scene = await open("out/report.pdf", "%PDF");
  using _ = scene.dir;
  scene.bench.api.say(OWNER, "go");
  const sent = await scene.bench.api.waitForText("notes: out/report.pdf");
  expect(sent.document).toEqual({ filename: "report.pdf", content: "%PDF" });
});

test.each([
  ["my report.pdf", "my report.pdf"],
  ['отчёт; name="chat_id"; x=.pdf', "отчёт; name=_chat_id_; x=.pdf"],
  ["a'b%22c&d=e.pdf", "a'b%22c&d=e.pdf"],
])("sendStoredFile() keeps the name %j a name", async (path, filename) => {
  await using scene = await open(path, "1");
  using _ = scene.dir;
  scene.bench.api.say(OWNER, "go");
  const sent = await scene.bench.api.waitForText(path);
  expect(sent).toMatchObject({ chatId: OWNER, document: { filename, content: "1" } });
});

test.each([
  ["a.PNG", 10, "sendPhoto"],
  ["a.jpg", 10 * 1024 * 1024 + 1, "sendDocument"],
  ["a.svg", 10, "sendDocument"],
])("sendStoredFile() sends %s of %d bytes by %s", async (path, sizeBytes, method) => {
  await using scene = await open(path, "x", sizeBytes);
  using _ = scene.dir;
  scene.bench.api.say(OWNER, "go");
  await scene.bench.api.waitForText(path);
  expect(methods(scene.bench)).toContain(method);
});

test("sendRow() sends what Telegram does not take for a photo as a document", async () => {
  await using scene = await open("a.png", "x");
  using _ = scene.dir;
  const description = "Bad Request: PHOTO_INVALID_DIMENSIONS";
  scene.bench.api.fail("sendPhoto", { kind: "status", status: 400, description });
  scene.bench.api.say(OWNER, "go");
  await scene.bench.api.waitForText("notes: a.png");
  expect(methods(scene.bench).slice(-2)).toContain("sendDocument");
});

test.each([
  ["changed", (path: string) => writeFileSync(path, "%PDF, and more")],
  ["gone", (path: string) => rmSync(path)],
  [
    "a link to the same",
    (path: string) => {
      renameSync(path, `${path}2`);
      symlinkSync(`${path}2`, path);
    },
  ],
  [
    "a folder now",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("sendStoredFile() says so when the file is %s by the time it can be sent", async (_, swap) => {
  await using scene = await open("out/report.pdf", "%PDF");
  using _dir = scene.dir;
  const { api } = scene.bench;
  // Until the file is another: a second try may come before this goes on.
  api.fail("sendDocument", { kind: "status", status: 502 }, 1e6);
  api.say(OWNER, "go");
  await api.waitFor(() => methods(scene.bench).includes("sendDocument"));
  swap(scene.absolute);
  await api.waitForText(NOT_SENT);
  expect(api.sent().map(({ document }) => document)).toEqual([undefined]);
});

test("sendStoredFile() sends after a restart what was waiting, once", async () => {
  await using scene = await open("out/report.pdf", "%PDF");
  using _ = scene.dir;
  const { bench } = scene;
  bench.api.fail("sendDocument", { kind: "status", status: 502 }, 1e6);
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(() => methods(bench).includes("sendDocument"));
  await bench.stop(0);
  bench.api.heal();
  await bench.restart();
  await bench.api.waitForText("out/report.pdf");
  bench.api.say(OWNER, "again");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  expect(bench.script.received).toHaveLength(2);
});

test("sendStoredFile() gives up a file on which the line breaks each time", async () => {
  await using scene = await open("out/report.pdf", "%PDF");
  using _ = scene.dir;
  const { bench } = scene;
  bench.api.fail("sendDocument", { kind: "reset" }, 1e6);
  bench.api.say(OWNER, "go");
  await bench.api.waitForText(NOT_SENT);
  expect(methods(bench).filter((method) => method === "sendDocument")).toHaveLength(5);
});

test.each([
  [413, "Request Entity Too Large"],
  [403, "Forbidden: blocked"],
])("sendRow() says that Telegram does not take a file (%d), once", async (status, description) => {
  await using scene = await open("out/report.pdf", "%PDF");
  using _ = scene.dir;
  const { bench } = scene;
  bench.api.fail("sendDocument", { kind: "status", status, description });
  if (status === 403) bench.api.fail("sendMessage", { kind: "status", status, description });
  bench.api.say(OWNER, "go");
  if (status === 413) await bench.api.waitForText(NOT_SENT);
  await bench.api.waitFor(
    () => bench.script.received.length > 0 && bench.channel.status()["outbox"] === 0,
  );
  expect(bench.api.sent()).toHaveLength(status === 413 ? 1 : 0);
});

/** The words of a call of which Telegram makes links: those outside of code. */
function tappable({ method, payload }: Bench["api"]["calls"][number]): readonly string[] {
  if (!method.startsWith("send") || method === "sendChatAction") return [];
  const text = String(payload["text"] ?? payload["caption"]);
  if (payload["parse_mode"] === "HTML") {
    return text
      .replace(/<code>[^<]*<\/code>|<[^>]*>/gu, " ")
      .split(/\s+/u)
      .filter(holdsLink);
  }
  const sent = payload["entities"] ?? payload["caption_entities"] ?? [];
  const entities: readonly { type: string; offset: number; length: number }[] =
    typeof sent === "string" ? JSON.parse(sent) : sent;
  const bare = entities.reduce(
    (left, { offset, length }) =>
      left.slice(0, offset) + " ".repeat(length) + left.slice(offset + length),
    text,
  );
  return bare.split(/\s+/u).filter(holdsLink);
}

describe("no words of a channel make a link of what nobody may follow", () => {
  const PATH = "evil.example/hunter2";

  test("below a document, below a picture, and where it could not be sent", async () => {
    for (const path of [PATH, `${PATH}.png`]) {
      await using scene = await open(path, "x");
      using _ = scene.dir;
      const { api } = scene.bench;
      api.say(OWNER, "go");
      await api.waitForText(path);
      rmSync(scene.absolute);
      api.say(OWNER, "again");
      await api.waitForText(NOT_SENT);
      expect(
        api.calls.filter(({ payload }) => JSON.stringify(payload).includes(PATH)),
      ).toHaveLength(2);
      expect(api.calls.flatMap(tappable)).toEqual([]);
    }
  });

  test("where Telegram could not read the markup, in doubt as well", async () => {
    const text = `see \`http://${PATH}?a=1\` and **this**`;
    const say = (_: unknown, emit: Emit) => emit({ kind: "content", text });
    await using bench = await openBench({ say });
    const description = "Bad Request: can't parse entities: x";
    bench.api.fail("sendMessage", { kind: "status", status: 400, description });
    bench.api.fail("sendMessage", { kind: "reset" });
    bench.api.say(OWNER, "go");
    await bench.api.waitForText(DOUBT);
    expect(bench.api.calls.flatMap(tappable)).toEqual([]);
    expect(bench.api.calls.at(-1)?.payload["parse_mode"]).toBeUndefined();
  });

  test("with more of them than Telegram takes looks", () => {
    const text = `${PATH} `.repeat(101);
    expect(toCodeEntities(text)).toEqual([{ type: "code", offset: 0, length: text.length }]);
  });
});
