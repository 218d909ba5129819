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
    20,
  );
  await left.promise;
  await done.promise;
  expect(await stream.getReader().closed.catch((error: unknown) => error)).toBeInstanceOf(Error);
});
