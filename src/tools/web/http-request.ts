import { refuseUrl } from "../../http/check-url/check-url.ts";
import type { AddressedRequest } from "../../security/provenance.ts";
import type { Tool, ToolArguments, ToolFailure } from "../tool.ts";
import type { HttpRequestDeps } from "./http-request-deps.ts";
import type { Document } from "./render-document.ts";

/** `http_request`: one request, no redirect followed, pages as text. One instance for every turn. */
export function createHttpRequestTool(deps: HttpRequestDeps): Tool {
  const fetched = new Map<string, Document>();
  const refused = new Map<string, ToolFailure>();
  return {
    schema: {
      name: "http_request",
      description:
        "Calls a URL; HTML becomes text, unless raw. Long text is cut: use extract or page. Redirects are not followed.",
      parameters: {
        type: "object",
        properties: {
          url: { type: "string" },
          method: { type: "string", description: "GET (default) POST PUT PATCH DELETE HEAD" },
          headers: { type: "object" },
          body: { type: "string" },
          timeout_secs: { type: "integer" },
          raw: { type: "boolean" },
          part: { type: "string", enum: ["navigation"] },
          extract: { type: "string", description: "what to find in a long page" },
          page: { type: "integer" },
          chunk_size: { type: "integer" },
        },
        required: ["url"],
      },
    },
    origin: "outside",
    leaves: toRequest,
    effect(args) {
      // Nothing leaves: it is refused with the reason, and nobody is asked about it.
      if (refuseUrl(String(args["url"]), deps.allowedHosts) !== undefined) return "none";
      return READS.has(methodOf(args)) ? "network" : "change";
    },
    describe: describeRequest,
    async run(args, signal) {
      const { runHttpRequest } = await import("./run-http-request.ts");
      return runHttpRequest(
        { ...args, method: methodOf(args) },
        { ...deps, fetched, refused, signal },
      );
    },
  };
}

/** What a call with these arguments sends, and where to. */
export function toRequest(args: ToolArguments): AddressedRequest {
  const { url, headers, body } = args;
  const named = Object.entries(headers ?? {}).flatMap(([name, value]) => [name, String(value)]);
  const carried = [...named, ...(typeof body === "string" && body !== "" ? [body] : [])];
  return { kind: "request", url: String(url), isReading: READS.has(methodOf(args)), carried };
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function methodOf({ method = "GET" }: ToolArguments): string {
  return String(method).toUpperCase();
}

/** The request as it goes out, headers and body in full. */
function describeRequest(args: ToolArguments): string {
  const headers = Object.entries(args["headers"] ?? {}).map(([name, value]) => {
    return `${name}: ${String(value)}`;
  });
  const body = typeof args["body"] === "string" ? ["", args["body"]] : [];
  const url = String(args["url"]);
  // As it will be called: a parser drops tabs and line ends, and walks dots.
  const called = URL.parse(url)?.href ?? url;
  return [`${methodOf(args)} ${called}`, ...headers, ...body].join("\n");
}
