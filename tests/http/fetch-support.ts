import { type FetchOptions, fetchGuarded } from "../../src/http/fetch-guarded.ts";
import type { FetchedResponse, FetchFailure, FetchResult } from "../../src/http/fetch-result.ts";

/** A name that no resolver knows: whoever reaches the server under it was pinned. */
export const HOST = "site.example";

/** Fetches from the loopback server as an untrusted address whose name leads there. */
export function fetchSite(port: number, options: Partial<FetchOptions> = {}): Promise<FetchResult> {
  return fetchGuarded(toFetchOptions(port, options));
}

/** The options of {@link fetchSite}. */
export function toFetchOptions(port: number, options: Partial<FetchOptions> = {}): FetchOptions {
  return {
    url: `http://${HOST}:${port}/page`,
    timeoutMs: 60_000,
    maxBytes: 100_000,
    allowedHosts: [HOST],
    resolve: async () => ["127.0.0.1"],
    signal: new AbortController().signal,
    ...options,
  };
}

/** The response, or an error that says why there is none. */
export function expectResponse(result: FetchResult): FetchedResponse {
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result;
}

/** The failure, or an error that says what came instead. */
export function expectFailure(
  result: FetchFailure | { readonly ok: true; readonly status: number },
): FetchFailure {
  if (result.ok) throw new Error(`no failure but status ${result.status}`);
  return result;
}

/** The body of a response as text. */
export function toText(result: FetchResult): string {
  return new TextDecoder().decode(expectResponse(result).body);
}
