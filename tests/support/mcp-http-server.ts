import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./mcp-server.ts";
import { PATIENCE_MS } from "./patience.ts";

/** A streamable HTTP server on loopback. */
export interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Answers every request with this instead, or nothing at all for 0. */
  refuse(status: number, headers?: Record<string, string>): void;
  /** Breaks off every answer, as soon as one to a request is under way. */
  breakOff(): Promise<void>;
}

/** Starts the test server behind HTTP; one session at a time. */
export async function startMcpHttp(): Promise<McpHttpServer> {
  const requests: IncomingMessage[] = [];
  const answers: ServerResponse[] = [];
  let refusal: { status: number; headers: Record<string, string> } | undefined;
  let transport: StreamableHTTPServerTransport | undefined;

  const server = createServer((request, response) => {
    requests.push(request);
    answers.push(response);
    if (refusal?.status === 0) return;
    if (refusal) return void response.writeHead(refusal.status, refusal.headers).end("refused");
    void serve(request).then((session) => session.handleRequest(request, response));
  });
  server.keepAliveTimeout = PATIENCE_MS; // as that of the bot
  async function serve(request: IncomingMessage): Promise<StreamableHTTPServerTransport> {
    if (transport && request.headers["mcp-session-id"] !== undefined) return transport;
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
    });
    await createTestServer().connect(transport);
    return transport;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    requests,
    refuse(status, headers = {}) {
      refusal = { status, headers };
    },
    async breakOff() {
      while (
        !answers.some(
          ({ req, headersSent, writableEnded }) =>
            req.method === "POST" && headersSent && !writableEnded,
        )
      )
        await Bun.sleep(1);
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      await transport?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
