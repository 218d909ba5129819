import { expect, test } from "bun:test";
import type { Fetch } from "../../src/core/fetch/fetch.ts";
import { createBudget } from "../../src/providers/budget.ts";
import { complete } from "../../src/providers/complete.ts";
import { toFailure } from "../../src/providers/openai-failure.ts";
import { createReliableProvider } from "../../src/providers/reliable.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { openLedger } from "../support/open-ledger.ts";
import { makeSelfSigned } from "../support/self-signed.ts";
import { localProvider } from "./local-provider.ts";

const NOON = Date.UTC(2026, 4, 17, 12);

/** One request with three retries, paid: what it came to, how often it was tried and what it took. */
async function ask(baseUrl: string, fetch: Fetch = globalThis.fetch) {
  const ledger = openLedger(memoryStore());
  const budget = createBudget({
    ledger,
    caps: { tokens: 1_000_000, cost: 0 },
    pricesOf: () => undefined,
    refused: () => new Set(),
    configPath: "/c/config.toml",
    now: () => NOON,
  });
  let tries = 0;
  const counting: Fetch = (url, init) => {
    tries += 1;
    return fetch(url, init);
  };
  const paid = budget.wrap(localProvider(baseUrl, { fetch: counting }));
  const provider = createReliableProvider([paid], {
    maxRetries: 3,
    initialBackoffMs: 1,
    maxWaitMs: 60_000,
    clock: { now: () => NOON, sleep: async () => {} },
    random: () => 0,
  });
  const { failure } = await complete(provider, { messages: [{ role: "user", content: "hi" }] });
  return { failure, tries, spent: ledger.spent("2026-05-17").tokens };
}

/** A server with a certificate that it signed itself; `trusted` is what fetches and takes that. */
function serveTls(host: string, until?: string) {
  const tls = makeSelfSigned(host, until === undefined ? {} : { until });
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls,
    fetch() {
      asked += 1;
      return new Response("no");
    },
  });
  const trusted: Fetch = (url, init) => fetch(url, { ...init, tls: { ca: tls.cert } });
  return {
    url: `https://127.0.0.1:${server.port}/v1`,
    trusted,
    asked: () => asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test.each<[string, string, string | undefined, boolean, RegExp]>([
  ["signed itself", "127.0.0.1", undefined, false, /SELF_SIGNED_CERT/u],
  ["has a certificate of another name", "elsewhere", undefined, true, /ALTNAME_INVALID/u],
  ["let its certificate expire", "127.0.0.1", "210101000000Z", true, /CERT_HAS_EXPIRED/u],
])(
  "a server that %s is asked nothing, once, for nothing",
  async (_, host, until, isTrusted, code) => {
    await using server = serveTls(host, until);
    const { failure, tries, spent } = await ask(server.url, isTrusted ? server.trusted : fetch);
    expect({ tries, spent, asked: server.asked() }).toEqual({ tries: 1, spent: 0, asked: 0 });
    expect(failure).toMatchObject({ code: "LLM_REQUEST", retryable: false, work: "none" });
    expect(failure?.message).toMatch(code);
    expect(failure?.message).toContain(`the certificate of "${new URL(server.url).origin}"`);
  },
);

test.each(["nonsense", "http://127.0.0.1:99999/v1", "ftp://127.0.0.1/v1"])(
  "nothing is asked at %s, and it costs nothing",
  async (baseUrl) => {
    const { failure, tries, spent } = await ask(baseUrl);
    expect(tries).toBeLessThan(2);
    expect(spent).toBe(0);
    expect(failure).toMatchObject({ retryable: false, isLasting: true, work: "none" });
    expect(failure?.message).toContain("check it in [providers.local]");
  },
);

test.each([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_UNTRUSTED",
  "CERT_CHAIN_TOO_LONG",
  "CRL_HAS_EXPIRED",
  "ERROR_IN_CERT_NOT_AFTER_FIELD",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_FORMAT",
  "UNKNOWN_CERTIFICATE_VERIFICATION_ERROR",
])("toFailure() knows that nothing was sent behind %s", (code) => {
  const context = { name: "p", model: "m", baseUrl: "https://x.test/v1", stopped: undefined };
  const cause = Object.assign(new Error("no"), { code });
  const error = new Error("Connection error.", { cause });
  const failure = toFailure(error, { ...context, timeoutMs: 1, now: 0 });
  expect(failure).toMatchObject({ work: "none", retryable: false });
});
