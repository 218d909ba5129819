import type { Provider } from "../../providers/provider.ts";
import type { Ready } from "../../store/when-writable.ts";
import type { Tool } from "../../tools/tool.ts";

/** A provider that begins, and ends, when the database can be written. */
export function whenReady(provider: Provider, ready: Ready): Provider {
  return {
    ...provider,
    async *stream(request) {
      await ready(request.signal);
      for await (const event of provider.stream(request)) {
        if (event.kind === "end") await ready(request.signal);
        yield event;
      }
    },
  };
}

/** A tool that begins, and gives its result, when the database can be written. */
export function toolWhenReady(tool: Tool, ready: Ready): Tool {
  return {
    ...tool,
    async run(args, signal, callId) {
      await ready(signal);
      const result = await tool.run(args, signal, callId);
      await ready(signal);
      return result;
    },
  };
}
