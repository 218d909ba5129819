import { expect, test } from "bun:test";
import { transcribe } from "../../src/providers/transcribe.ts";

const AUDIO = Buffer.from("OggS…");

/** An endpoint on loopback; `answer` sees what was sent. */
function startEndpoint(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const endpoint = { baseUrl: `http://127.0.0.1:${server.port}/v1`, apiKey: "sk-secret", fetch };
  return {
    transcribe: (signal = AbortSignal.timeout(60_000)) =>
      transcribe(AUDIO, { endpoint, model: "ear-1" }, signal),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test("transcribe() sends the recording and gives its words", async () => {
  const seen: unknown[] = [];
  await using endpoint = startEndpoint(async (request) => {
    const form = await request.formData();
    const file = form.get("file");
    seen.push(new URL(request.url).pathname, request.headers.get("authorization"));
    seen.push(form.get("model"), file instanceof File && (await file.text()));
    return Response.json({ text: " fix the test\n" });
  });
  expect(await endpoint.transcribe()).toEqual({ ok: true, text: "fix the test" });
  expect(seen).toEqual(["/v1/audio/transcriptions", "Bearer sk-secret", "ear-1", AUDIO.toString()]);
});

test.each([
  [
    "a refusal that quotes the key",
    () => new Response("no sk-secret", { status: 401 }),
    "HTTP 401",
  ],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302), "Cannot transcribe"],
  ["no text", () => Response.json({ segments: [] }), "the answer holds no text"],
])("transcribe() says what is wrong after %s, without the key", async (_, answer, reason) => {
  await using endpoint = startEndpoint(answer);
  const result = await endpoint.transcribe();
  expect(result).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
  expect(JSON.stringify(result)).not.toContain("sk-secret");
});

test("transcribe() says that an endpoint which refused has not listened, and of no other", async () => {
  for (const status of [401, 429, 500, 503, 529]) {
    await using refusing = startEndpoint(() => new Response("no", { status }));
    expect(await refusing.transcribe()).toMatchObject({ ok: false, isFree: true });
  }
  for (const status of [408, 502, 504, 524]) {
    await using behind = startEndpoint(() => new Response("no", { status }));
    expect(await behind.transcribe()).not.toHaveProperty("isFree");
  }
  await using silent = startEndpoint(() => Response.json({ words: 1 }));
  expect(await silent.transcribe()).not.toHaveProperty("isFree");
});

test("transcribe() says that nobody has listened where there is no connection", async () => {
  const gone = startEndpoint(() => new Response());
  await gone[Symbol.asyncDispose]();
  expect(await gone.transcribe()).toEqual({
    ok: false,
    code: "LLM_REQUEST",
    message: expect.stringContaining("no connection, ECONNREFUSED"),
    isFree: true,
  });
});

test("transcribe() ends with its signal", async () => {
  await using endpoint = startEndpoint(() => new Promise(() => undefined));
  const transcript = endpoint.transcribe(AbortSignal.timeout(20)).catch(() => "ended");
  expect(await transcript).toBe("ended");
});
