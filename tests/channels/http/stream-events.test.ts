import { expect, test } from "bun:test";
import { streamEvents } from "../../../src/channels/http/stream-events.ts";

test("streamEvents() waits no longer for a client that reads nothing", async () => {
  const left = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const stream = streamEvents(
    async (emit) => {
      for (let i = 0; i < 3; i++) await emit({ kind: "content", text: "x".repeat(1_000_000) });
      done.resolve();
    },
    ({ kind }) => [{ kind, text: "x".repeat(1_000_000) }],
    left.resolve,
    { stallMs: 20 },
  );
  await left.promise;
  await done.promise;
  expect(await stream.getReader().closed.catch((error: unknown) => error)).toBeInstanceOf(Error);
});

test("streamEvents() is over when who asked may not any more, and without an end", async () => {
  const over = new AbortController();
  const left = Promise.withResolvers<void>();
  const stream = streamEvents(
    async (emit) => {
      await emit({ kind: "content", text: "before" });
      over.abort();
      await emit({ kind: "content", text: "behind" });
    },
    ({ kind, ...rest }) => [{ kind, ...rest }],
    left.resolve,
    { end: over.signal },
  );
  await left.promise;
  const said = await new Response(stream).text();
  expect(said).toContain("before");
  expect(said).not.toContain("behind");
  expect(said).not.toContain("[DONE]");
});

test("streamEvents() whose answer is over has no part in what ends later", async () => {
  const over = new AbortController();
  let hasLeft = false;
  const said = await new Response(
    streamEvents(
      async (emit) => emit({ kind: "done" }),
      ({ kind }) => [{ kind }],
      () => (hasLeft = true),
      { end: over.signal },
    ),
  ).text();
  expect(said).toContain("[DONE]");
  over.abort(); // throws, where anybody listens
  expect(hasLeft).toBe(false);
});
