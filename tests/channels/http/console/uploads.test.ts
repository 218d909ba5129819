import { expect, test } from "bun:test";
import fc from "fast-check";
import { createUploads } from "../../../../src/channels/http/console/chats/chats.ts";
import { parseRequest, toAsker } from "../../../../src/channels/http/parse-request.ts";
import { toSpoken } from "../../../../src/channels/http/refuse.ts";
import { textsIn } from "../../../../src/texts/texts.ts";
import { anyCharacter } from "../../../support/any-character.ts";

/** Keeps what comes, as the workspace of a conversation would. */
function openUploads() {
  const kept: string[] = [];
  const uploads = createUploads({
    speaker: (sessionId) => ({ sessionId, userId: "owner" }),
    workspaceOf: () => "notes",
    async saveFile(_, { name, chunks }) {
      let text = "";
      for await (const chunk of chunks) text += new TextDecoder().decode(chunk);
      kept.push(text);
      return { ok: true, path: `inbox/${name}` };
    },
  });
  return { kept, uploads };
}

const QUERY = new URLSearchParams({ session_id: "mine", name: "a.txt" });

function post(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://127.0.0.1/api/files", { method: "POST", body });
}

test("of a session that ended while its file came nothing is kept", async () => {
  const { kept, uploads } = openUploads();
  const over = new AbortController();
  let isOut = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(Buffer.from("one"));
      isOut = true;
      controller.close();
    },
  });
  const ended = { end: over.signal, isOut: () => isOut };
  expect((await uploads.take(post(body), QUERY, ended)).status).toBe(401);
  // One of which nothing more comes ends with the session, too.
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from("one")),
  });
  const late = { end: over.signal, isOut: () => over.signal.aborted };
  const taking = uploads.take(post(silent), QUERY, late);
  over.abort();
  expect((await taking).status).toBe(401);
  expect(kept).toEqual([]);
  const whole = new Response("whole").body ?? new ReadableStream<Uint8Array>();
  const live = { end: new AbortController().signal, isOut: () => false };
  expect((await uploads.take(post(whole), QUERY, live)).status).toBe(200);
  expect(kept).toEqual(["whole"]);
});

test.each([
  [undefined, 422],
  ["full", 507],
  ["disk", 503],
] as const)("what the machine is at fault for, %j, is told apart: %d", async (trouble, status) => {
  const uploads = createUploads({
    speaker: (sessionId) => ({ sessionId, userId: "owner" }),
    workspaceOf: () => "notes",
    saveFile: async () => ({ ok: false, message: "no", ...(trouble && { trouble }) }),
  });
  const body = new Response("x").body ?? new ReadableStream<Uint8Array>();
  const refused = await uploads.take(post(body), QUERY);
  expect(refused.status).toBe(status);
  const spoken = await toSpoken(refused, { language: () => "en", texts: () => textsIn("en") });
  expect(await spoken.json()).toEqual({ ok: false, error: "no" });
});

test("a file is taken for exactly the conversations in which something can be said", async () => {
  const { uploads } = openUploads();
  const start = fc.constantFrom("", "http:", "terminal:", "telegram:", "app:telegram:1:", "HTTP:");
  const rest = fc.oneof(
    fc.constantFrom(
      "",
      "..",
      "../../x",
      "a/b",
      "mine",
      "a".repeat(64),
      "a".repeat(65),
      "\0",
      "501",
    ),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  );
  const id = fc.tuple(start, rest).map((parts) => parts.join(""));
  const names = fc.record({ session_id: id, conversation: id }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(names, async (named) => {
      const isNamed = Object.keys(named).length > 0;
      const body = JSON.stringify({ ...named, message: "x" });
      const isTaken = isNamed && parseRequest("/api/chat", body, toAsker(undefined)).ok;
      const file = new Response("x").body ?? new ReadableStream<Uint8Array>();
      const query = new URLSearchParams({ ...named, name: "a.txt" });
      expect((await uploads.take(post(file), query)).status).toBe(isTaken ? 200 : 400);
    }),
  );
});
