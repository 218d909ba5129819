import { expect, test } from "bun:test";
import { createStdioTransport } from "../../../src/tools/mcp/stdio-transport.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" } as const;

/** A server of a shell's words. */
const serverOf = (script: string) =>
  createStdioTransport(
    { kind: "stdio", argv: ["/bin/sh", "-c", script], cwd: "/", env: {} },
    () => PING,
  );

test.each([
  ["has ended", "echo the token is missing >&2; exit 3"],
  [
    "hears nothing more and is about to end",
    "exec 0<&-; sleep 0.1; echo the token is missing >&2; exit 3",
  ],
])(
  "createStdioTransport() says why a server that %s cannot be told anything",
  async (_, script) => {
    const transport = serverOf(script);
    const closed = Promise.withResolvers<void>();
    Object.assign(transport, { onclose: closed.resolve });
    await transport.start();
    const tell = async (): Promise<unknown> => {
      for (;;) {
        try {
          await transport.send(PING); // what is written before is lost
        } catch (error) {
          return error;
        }
      }
    };
    expect(await tell()).toBeInstanceOf(Error);
    expect(transport.explain()).toBe("it ended with exit code 3: the token is missing");
    await closed.promise;
    await transport.close();
  },
);
