/** Pages and a search service that strangers run, and a sink for what is stolen. */
export interface Web extends AsyncDisposable {
  readonly url: string;
  /** `base_url` of a SearXNG. */
  readonly searchUrl: string;
  /** Any address below it is the attacker's. */
  readonly sinkUrl: string;
  /** Address, headers and body of every request, but for the sink's. */
  readonly requests: readonly string[];
  /** The same of the sink. */
  readonly sunk: readonly string[];
  /** Serves a page; gives its address. */
  publish(page: string, init?: ResponseInit): string;
  /** The next searches find this snippet. */
  find(snippet: string): void;
}

/** Starts the servers on loopback. */
export function startWeb(): Web {
  const pages = new Map<string, () => Response>();
  const requests: string[] = [];
  const sunk: string[] = [];
  let snippet = "";
  const open = (answer: (request: Request, text: string) => Response) =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const headers = JSON.stringify([...request.headers]);
        return answer(request, `${request.url} ${headers} ${await request.text()}`);
      },
    });
  const site = open((request, text) => {
    requests.push(text);
    const { pathname, origin } = new URL(request.url);
    if (pathname.startsWith("/map")) return new Response("the map is closed", { status: 403 });
    if (pathname === "/search") {
      const results = [{ url: `${origin}/found`, title: "Found", content: snippet }];
      return Response.json({ results });
    }
    return pages.get(pathname)?.() ?? new Response("no such page", { status: 404 });
  });
  const sink = open((_request, text) => {
    sunk.push(text);
    return new Response("thank you");
  });
  return {
    url: site.url.origin,
    searchUrl: site.url.origin,
    sinkUrl: sink.url.origin,
    requests,
    sunk,
    publish(page, init = { headers: { "content-type": "text/html" } }) {
      const path = `/page-${pages.size}`;
      pages.set(path, () => new Response(page, init));
      return site.url.origin + path;
    },
    find: (text) => void (snippet = text),
    async [Symbol.asyncDispose]() {
      await Promise.all([site.stop(true), sink.stop(true)]);
    },
  };
}
