import type { Reply } from "../tests/support/model-server.ts";

/** A request of the Responses API, as far as a script looks at it. */
export interface ResponsesRequest {
  readonly text: string;
  /** How many results of tools it brings along. */
  readonly results: number;
}

/** A server on loopback that answers by script, for programs that know no other API. */
export function startResponsesServer(
  script: (request: ResponsesRequest) => Extract<Reply, { kind: "text" | "tools" }>,
): { readonly url: string } & AsyncDisposable {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (!request.url.endsWith("/v1/responses")) return new Response("", { status: 404 });
      const text = await request.text();
      const { input }: { readonly input: readonly { readonly type: string }[] } = JSON.parse(text);
      const results = input.filter(({ type }) => type === "function_call_output").length;
      return respond(script({ text, results }), `${results}`);
    },
  });
  return {
    url: `${server.url.origin}/v1`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function respond(reply: Extract<Reply, { kind: "text" | "tools" }>, id: string): Response {
  const status = "completed";
  const items =
    reply.kind === "text"
      ? [
          {
            type: "message",
            id: `msg_${id}`,
            role: "assistant",
            status,
            content: [{ type: "output_text", text: reply.text, annotations: [] }],
          },
        ]
      : reply.calls.map((call, index) => ({
          type: "function_call",
          id: `fc_${id}_${index}`,
          call_id: `call_${id}_${index}`,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
          status,
        }));
  const response = { id: `resp_${id}`, object: "response", output: items };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...items.flatMap((item, index) => [
      { type: "response.output_item.added", output_index: index, item },
      { type: "response.output_item.done", output_index: index, item },
    ]),
    { type: "response.completed", response: { ...response, status, usage } },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}
