import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { AppError } from "../core/app-error.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** One request to one address, without redirects. */
export interface OutgoingRequest {
  readonly url: URL;
  /** The only addresses to connect to; undefined leaves it to the machine's resolver. */
  readonly addresses: readonly string[] | undefined;
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Sends the request and resolves with the head of the answer; the body is the caller's to read
 * or to destroy.
 *
 * `node:http` and not `fetch`: only it takes a `lookup`, decompresses nothing by itself and
 * knows no proxy. The host name stays in the Host header and in TLS.
 */
export function sendRequest(
  outgoing: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url, addresses, method, headers, body } = outgoing;
  const options: RequestOptions = {
    method,
    headers: body === undefined ? headers : { ...headers, "content-length": byteLength(body) },
    agent: false,
    signal,
    ...(addresses && { lookup: pinTo(addresses) }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request =
    url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
  const refuse = (connection: { readonly destroy: () => unknown }) => {
    connection.destroy();
    reject(new AppError("unavailable", "the server wants to switch to another protocol"));
  };
  request.once("response", (response) =>
    response.statusCode === 101 ? refuse(response) : resolve(response),
  );
  // Nobody asked for it; without this listener the client forgets the whole exchange.
  request.once("upgrade", (_response, socket) => refuse(socket));
  // Stays for the whole exchange: an error after the head must not be an unhandled one.
  request.on("error", reject);
  request.end(body);
  return promise;
}

/** A look-up that knows only the addresses that were checked, even if DNS has changed since. */
function pinTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) return callback(null, found);
    callback(null, found[0]?.address ?? "", found[0]?.family);
  };
}

function byteLength(body: string | Uint8Array): string {
  return String(Buffer.byteLength(body));
}
