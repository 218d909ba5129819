/** A result as a test gives it; `url` may be a path of this server. */
export interface Result {
  readonly url: string;
  readonly title?: string;
  readonly snippet?: string;
  readonly date?: string;
}

/** How the server behaves. */
export interface SearchScript {
  readonly results?: readonly Result[];
  /** HTML, or a whole response, by path. */
  readonly pages?: Readonly<Record<string, string | (() => Response | Promise<Response>)>>;
  /** Answers every search in place of the results. */
  readonly answer?: () => Response | Promise<Response>;
}

/** A search as it arrived. */
export interface SearchRequest {
  readonly path: string;
  readonly query: string;
  readonly limit: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** A running server: `url` is the base_url of any of the three services. */
export interface SearchServer extends AsyncDisposable {
  readonly url: string;
  readonly searches: readonly SearchRequest[];
  /** Paths of the pages that were asked for. */
  readonly visits: readonly string[];
  readonly stop: () => Promise<void>;
}

/** The key that the services with keys want. */
export const SEARCH_KEY = "search-key-1";

/** A server on loopback that speaks Tavily, SearXNG and Brave, and serves the pages they find. */
export function startSearchServer(script: SearchScript): SearchServer {
  const searches: SearchRequest[] = [];
  const visits: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request): Promise<Response> {
      const { pathname, origin } = new URL(request.url);
      const service = SERVICES[`${request.method} ${pathname}`];
      if (service === undefined) {
        visits.push(pathname);
        return servePage(script.pages?.[pathname]);
      }
      const asked = await service.read(request);
      searches.push({ path: pathname, headers: Object.fromEntries(request.headers), ...asked });
      if (service.key !== undefined && service.key(request) !== SEARCH_KEY)
        return Response.json({ error: "who are you" }, { status: 401 });
      if (script.answer) return script.answer();
      const results = (script.results ?? []).map(({ url, title = "", snippet = "", date = "" }) => {
        return { url: url.startsWith("/") ? origin + url : url, title, snippet, date };
      });
      return Response.json(service.write(results));
    },
  });
  const stop = () => server.stop(true);
  return { url: server.url.origin, searches, visits, stop, [Symbol.asyncDispose]: stop };
}

interface Service {
  readonly read: (request: Request) => Promise<Pick<SearchRequest, "query" | "limit">>;
  readonly key?: (request: Request) => string | null | undefined;
  readonly write: (results: readonly Required<Result>[]) => object;
}

const SERVICES: Readonly<Record<string, Service>> = {
  "POST /search": {
    read: async (request) => {
      const body: { query: string; max_results: number } = JSON.parse(await request.text());
      return { query: body.query, limit: body.max_results };
    },
    key: (request) => /^Bearer (.+)$/u.exec(request.headers.get("authorization") ?? "")?.[1],
    write: (results) => ({
      results: results.map(({ snippet, date, ...rest }) => ({
        ...rest,
        content: snippet,
        published_date: date,
        score: 0.5,
      })),
    }),
  },
  "GET /search": {
    read: async (request) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get("format") !== "json") throw new Error("SearXNG answers in HTML then");
      return { query: searchParams.get("q") ?? "", limit: undefined };
    },
    write: (results) => ({
      results: results.map(({ snippet, date, ...rest }) => ({
        ...rest,
        content: snippet,
        publishedDate: date,
      })),
    }),
  },
  "GET /res/v1/web/search": {
    read: async (request) => {
      const { searchParams } = new URL(request.url);
      return { query: searchParams.get("q") ?? "", limit: Number(searchParams.get("count")) };
    },
    key: (request) => request.headers.get("x-subscription-token"),
    write: (results) => {
      const found = results.map(({ snippet, date, ...rest }) => ({
        ...rest,
        description: snippet,
        page_age: date,
      }));
      return { type: "search", ...(found.length > 0 && { web: { results: found } }) };
    },
  },
};

function servePage(
  page: string | (() => Response | Promise<Response>) | undefined,
): Response | Promise<Response> {
  if (page === undefined) return new Response("no such page", { status: 404 });
  if (typeof page === "function") return page();
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
