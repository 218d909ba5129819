import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundBody, fetchDirectly } from "../../core/fetch/fetch.ts";
import { createFloodGuard } from "./flood-guard.ts";
import type { Launch } from "./launch.ts";

/**
 * How long telling a server that its session is over may take: half a second, in looks, so that a
 * process that stood still meanwhile tells it all the same.
 */
const LOOKS = 50;
const PAUSE_MS = 10;

/** A server at an address as the SDK speaks to it. */
export interface HttpTransport {
  readonly transport: StreamableHTTPClientTransport;
  readonly close: () => Promise<void>;
  /** Why it was ended from our side, if it was. */
  readonly explain: () => string;
}

/** Speaks streamable HTTP; a server that floods is disconnected, redirects stay in their origin. */
export async function createHttpTransport({
  url,
  headers,
}: Extract<Launch, { kind: "http" }>): Promise<HttpTransport> {
  const sdk = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  let reason = "";
  const end = (why: string) => {
    if (reason !== "") return;
    reason = why;
    void transport.close();
  };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: createBoundedFetch(end),
  });
  return {
    transport,
    explain: () => reason,
    async close() {
      const isOver = () => true; // told, or it is gone
      const told = transport.terminateSession().then(isOver, isOver);
      for (let look = 0; look < LOOKS; look++) {
        if (await Promise.race([told, Bun.sleep(PAUSE_MS).then(() => false)])) break;
      }
      end("it was ended");
    },
  };
}

/** What a server says when it refuses is read as far as it may explain something. */
const REFUSAL = { maxBytes: 64 * 1024, tooLong: () => undefined };

/** A fetch whose bodies are counted; `end` is called for a flood, and for an answer that broke off. */
function createBoundedFetch(end: (why: string) => void): FetchLike {
  const flood = createFloodGuard();
  return async (url, init) => {
    const isRequest = init?.method === "POST";
    if (isRequest) flood.asked();
    const response = await fetchDirectly(url, init);
    if (response.status === 429) throw toTooManyRequests(response);
    if (!response.ok || !response.body) return boundBody(response, REFUSAL);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (flood.accept(chunk)) return controller.enqueue(chunk);
        controller.terminate();
        end("it sent more than it was asked for");
      },
    });
    // The SDK would wait for the rest of an answer for ever.
    response.body.pipeTo(counted.writable).catch(() => isRequest && end("the connection broke"));
    const { status, statusText } = response;
    return new Response(counted.readable, { status, statusText, headers: response.headers });
  };
}

/** In the shape that the SDK's own errors have. */
function toTooManyRequests({ headers }: Response): Error {
  const seconds = headers.get("retry-after") ?? "";
  // A date is not worth its clock.
  const retryAfterMs = /^\d{1,6}$/u.test(seconds) ? Number(seconds) * 1000 : undefined;
  return Object.assign(new Error("the server asks to slow down"), { code: 429, retryAfterMs });
}
