import type { Provider } from "../../src/providers/provider.ts";
import type { Reply } from "./model-server.ts";

/** A connection that breaks after some text, when whoever asks through `watch` has read of it. */
export function breakWhenRead(after: string): {
  readonly reply: Reply;
  watch(provider: Provider): Provider;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    reply: { kind: "reset", after, was: promise },
    watch: (provider) => ({
      ...provider,
      async *stream(request) {
        for await (const event of provider.stream(request)) {
          if (event.kind === "content") resolve();
          yield event;
        }
      },
    }),
  };
}
