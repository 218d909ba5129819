/** What the maps of a test know. */
export interface MapScript {
  /** Coordinates by the name that is asked for, in lower case. */
  readonly spots?: Readonly<Record<string, readonly [lat: number, lon: number]>>;
  /** What Overpass gives for any question. */
  readonly elements?: readonly unknown[];
  /** What Open-Meteo gives for any question. */
  readonly weather?: unknown;
  /** Answers a path in place of all that. */
  readonly answers?: Readonly<Record<string, () => Response>>;
}

/** A question as it arrived. */
export interface MapRequest {
  readonly path: string;
  readonly params: URLSearchParams;
  readonly userAgent: string;
}

/** Nominatim, Overpass and Open-Meteo on loopback. */
export interface MapServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly MapRequest[];
  /** What was asked below a path. */
  at(path: string): readonly URLSearchParams[];
}

/** Starts all three as one server: `/search`, `/overpass`, `/forecast`. */
export function startMapServer(script: MapScript = {}): MapServer {
  const requests: MapRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url);
      const isPost = request.method === "POST";
      const params = isPost ? new URLSearchParams(await request.text()) : searchParams;
      const userAgent = request.headers.get("user-agent") ?? "";
      requests.push({ path, params, userAgent });
      return script.answers?.[path]?.() ?? answer(script, path, params);
    },
  });
  return {
    url: server.url.origin,
    requests,
    at: (path) => requests.filter((each) => each.path === path).map(({ params }) => params),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function answer(script: MapScript, path: string, params: URLSearchParams): Response {
  const name = params.get("q") ?? "";
  const [lat, lon] = script.spots?.[name.toLowerCase()] ?? [];
  switch (path) {
    case "/search":
      return Response.json(
        lat === undefined
          ? []
          : [{ lat: String(lat), lon: String(lon), display_name: `${name}, Earth` }],
      );
    case "/overpass":
      return Response.json({ elements: script.elements ?? [] });
    case "/forecast":
      return Response.json(script.weather ?? {});
    default:
      return new Response("no such path", { status: 404 });
  }
}
