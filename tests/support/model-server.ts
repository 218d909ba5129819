/** What a test model answers with. */
export type Reply =
  /** Streamed text, `chunkChars` characters at a time; each goes on when `pace` says so. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly chunkChars?: number;
      readonly pace?: Pace;
      readonly finishReason?: string;
      readonly usage?: ModelUsage;
    }
  /** Tool calls whose pieces are interleaved, after an optional text. */
  | {
      readonly kind: "tools";
      readonly calls: readonly {
        readonly name: string;
        readonly arguments: unknown;
        readonly id?: string;
      }[];
      readonly text?: string;
      readonly usage?: ModelUsage;
    }
  /** One JSON document, whatever the request says about streaming. */
  | { readonly kind: "json"; readonly document: unknown }
  /** An HTTP status with a body. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Silence until the client leaves. */
  | { readonly kind: "hang" }
  /**
   * The connection breaks after some text. A reset throws away what a busy client has not read:
   * whoever counts on the text breaks it when that `was` read.
   */
  | { readonly kind: "reset"; readonly after: string; readonly was?: Promise<unknown> }
  /** The bytes of an event stream as given, one chunk each, `everyMs` apart. */
  | {
      readonly kind: "raw";
      readonly chunks: readonly (string | Uint8Array)[];
      readonly everyMs?: number;
      readonly contentType?: string;
    };

/** What a stream waits for once so many pieces were sent. */
export type Pace = (sent: number) => Promise<unknown> | undefined;

/** Tokens that a reply claims; without them 10 and 5. */
export interface ModelUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** One request as it arrived. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ModelRequestBody;
  /** The body's own bytes as text. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The client's port: equal ports mean one connection. */
  readonly port: number;
}

/** The parts of a chat request that tests look at. */
export interface ModelRequestBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema: {
      readonly name: string;
      readonly strict: boolean;
      readonly schema: unknown;
    };
  };
  readonly stream?: boolean;
  readonly stream_options?: unknown;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** Replies in order (the last one stays), or a function of the request and its number from 0. */
export type Script = readonly Reply[] | ((request: ModelRequest, n: number) => Reply);

/** A running server: `url` is the base_url of a provider. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  readonly stop: () => Promise<void>;
}

/** An OpenAI-compatible server on loopback that answers by script and keeps what it was asked. */
export function startModelServer(script: Script): ModelServer {
  const requests: ModelRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const at = Date.now();
      const text = await request.text();
      const body: ModelRequestBody = JSON.parse(text);
      const received: ModelRequest = {
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        body,
        text,
        at,
        port: server.requestIP(request)?.port ?? 0,
      };
      requests.push(received);
      return answer(nextReply(script, received, requests.length - 1), received);
    },
  });
  const stop = () => server.stop(true);
  return { url: `${server.url.origin}/v1`, requests, stop, [Symbol.asyncDispose]: stop };
}

function nextReply(script: Script, request: ModelRequest, n: number): Reply {
  if (typeof script === "function") return script(request, n);
  const reply = script[n] ?? script.at(-1);
  if (reply === undefined) throw new Error("a script needs at least one reply");
  return reply;
}

function answer(reply: Reply, request: ModelRequest): Response | Promise<Response> {
  switch (reply.kind) {
    case "text": {
      const { text, chunkChars = 8, pace, finishReason = "stop" } = reply;
      const deltas = pieces(text, chunkChars).map((content) => ({ content }));
      return complete(request, {
        deltas,
        message: { content: text },
        finishReason,
        pace,
        reply,
      });
    }
    case "tools": {
      const calls = reply.calls.map(toToolCall);
      const deltas = [...(reply.text ? [{ content: reply.text }] : []), ...interleaved(calls)];
      const message = { content: reply.text ?? null, tool_calls: calls };
      return complete(request, { deltas, message, finishReason: "tool_calls", reply });
    }
    case "json":
      return Response.json(reply.document);
    case "status": {
      const { status, body = { error: { message: `status ${status}` } }, headers = {} } = reply;
      if (typeof body === "string") return new Response(body, { status, headers });
      return Response.json(body, { status, headers });
    }
    case "hang":
      return new Promise<Response>(() => {});
    case "reset":
      return eventStream([event({ delta: { content: reply.after } })], {
        breaks: reply.was ?? Bun.sleep(10),
      });
    case "raw":
      return eventStream(reply.chunks, { ...reply, pace: () => Bun.sleep(reply.everyMs ?? 0) });
    default:
      return reply satisfies never;
  }
}

interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

function toToolCall(
  call: { readonly name: string; readonly arguments: unknown; readonly id?: string },
  index: number,
): ToolCall {
  const { name, arguments: args, id = `call_${index}` } = call;
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: text } };
}

/** Every call's head first, then the pieces of the arguments in turn. */
function interleaved(calls: readonly ToolCall[]): object[] {
  const heads = calls.map((call, index) => ({
    tool_calls: [{ ...call, index, function: { ...call.function, arguments: "" } }],
  }));
  const tails = calls.flatMap((call, index) =>
    argumentPieces(call.function.arguments).map((text, turn) => ({
      turn,
      delta: { tool_calls: [{ index, function: { arguments: text } }] },
    })),
  );
  return [...heads, ...tails.toSorted((a, b) => a.turn - b.turn).map(({ delta }) => delta)];
}

/** Few characters each, and of what is huge a thousand pieces: more would say nothing more. */
function argumentPieces(given: string): readonly string[] {
  return pieces(given, Math.max(7, Math.ceil(given.length / 1000)));
}

/** Streams, or answers with one document when the request does not ask for a stream. */
function complete(
  request: ModelRequest,
  parts: {
    readonly deltas: readonly object[];
    readonly message: object;
    readonly finishReason: string;
    readonly pace?: Pace | undefined;
    readonly reply: { readonly usage?: ModelUsage };
  },
): Response {
  const { finishReason } = parts;
  const usage = parts.reply.usage ?? { prompt_tokens: 10, completion_tokens: 5 };
  if (request.body.stream !== true) {
    const message = { role: "assistant", ...parts.message };
    const choices = [{ index: 0, message, finish_reason: finishReason }];
    return Response.json({ id: "c", object: "chat.completion", choices, usage });
  }
  const events = [
    ...parts.deltas.map((delta) => event({ delta })),
    event({ delta: {}, finish_reason: finishReason }),
    ...(request.body.stream_options ? [`data: ${JSON.stringify({ choices: [], usage })}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
  return eventStream(events, { pace: parts.pace });
}

/** One event of a stream, for `raw` replies too. */
export function event(choice: { readonly delta: object; readonly finish_reason?: string }): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }];
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices })}\n\n`;
}

function eventStream(
  chunks: readonly (string | Uint8Array)[],
  options: {
    readonly pace?: Pace | undefined;
    /** Breaks the connection then. */
    readonly breaks?: Promise<unknown>;
    readonly contentType?: string;
  },
): Response {
  const { pace, breaks, contentType = "text/event-stream" } = options;
  const waiting = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = waiting.shift();
      if (chunk !== undefined) {
        controller.enqueue(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        await (pace?.(chunks.length - waiting.length) ?? Bun.sleep(0));
      } else if (breaks !== undefined) {
        await breaks;
        controller.error(undefined); // an Error here would be printed as the server's own fault
      } else {
        controller.close();
      }
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}

function pieces(text: string, chars: number): string[] {
  const all = Array.from(text);
  const count = Math.ceil(all.length / chars);
  return Array.from({ length: count }, (_, i) => all.slice(i * chars, (i + 1) * chars).join(""));
}
