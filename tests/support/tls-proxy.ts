import { makeSelfSigned } from "./self-signed.ts";

/** Ends the encryption of some hosts, as a person's own proxy does, on this machine alone. */
export interface TlsProxy extends AsyncDisposable {
  /** What a browser has to be started with to reach it by the names of those hosts. */
  readonly browserArgs: readonly string[];
  /** Where requests of a host are passed on to. */
  passOn(host: string, root: string): void;
  /** Shows a page of a host that is none of ours. */
  show(host: string, html: string): void;
}

/** Starts one for `hosts`. */
export function startTlsProxy(...hosts: readonly string[]): TlsProxy {
  const roots = new Map<string, string>();
  const pages = new Map<string, string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: makeSelfSigned(hosts[0] ?? ""),
    idleTimeout: 0,
    async fetch(request) {
      const host = request.headers.get("host") ?? "";
      const html = pages.get(host);
      if (html !== undefined)
        return new Response(html, { headers: { "content-type": "text/html" } });
      const root = roots.get(host);
      if (root === undefined) return new Response("nobody is behind it", { status: 502 });
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-for", "203.0.113.7");
      headers.set("x-forwarded-proto", "https");
      const answer = await fetch(root + pathname + search, {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        decompress: false,
        signal: request.signal,
      }).catch(() => undefined);
      if (!answer) return new Response("it does not answer", { status: 502 });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    },
  });
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1:${server.port}`);
  return {
    browserArgs: [`--host-resolver-rules=${rules.join(",")}`, "--ignore-certificate-errors"],
    passOn: (host, root) => void roots.set(host, root),
    show: (host, html) => void pages.set(host, html),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
