import { expect, test } from "bun:test";
import { createUploads } from "../../../../src/channels/http/console/chats/chats.ts";

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
  expect(await refused.json()).toEqual({ ok: false, error: "no" });
});
