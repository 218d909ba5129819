import type { ChatRequest, Provider } from "../../src/providers/provider.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../../src/tools/tool.ts";
import { createHttpRequestTool } from "../../src/tools/web/http-request.ts";
import type { HttpRequestDeps } from "../../src/tools/web/http-request-deps.ts";
import { httpAnswer, rawServer } from "../http/raw-server.ts";

/** Bytes in a kilobyte. */
export const KB = 1024;
/** The header of a page. */
export const HTML = { "Content-Type": "text/html; charset=utf-8" };

/** The tool for one turn, on loopback. */
export function openTool(options: Partial<HttpRequestDeps> = {}) {
  const tool = createHttpRequestTool({
    allowedHosts: ["127.0.0.1"],
    stripThresholdKb: 200,
    extractProvider: undefined,
    holdsSecret: (text) => text.includes("hush-hush"),
    ...options,
  });
  const { signal } = new AbortController();
  return { tool, call: (args: ToolArguments) => tool.run(args, signal, "call_1") };
}

/** A server with one answer for everything. */
export async function siteOf(body: string | Uint8Array, headers = {}, status?: string) {
  const server = await rawServer((socket) => socket.end(httpAnswer(body, headers, status)));
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/p` });
}

/** What it answered, or an error that says why it failed. */
export function contentOf(result: ToolResult): string {
  if (!result.ok) throw new Error(`${result.errorCode}: ${result.error}`);
  return result.content;
}

/** What it said before the body of the answer, line by line. */
export function headOf(result: ToolResult): readonly string[] {
  const content = contentOf(result);
  return content.slice(0, content.indexOf("\n\n")).split("\n");
}

/** The body of what it answered. */
export function textOf(result: ToolResult): string {
  const content = contentOf(result);
  const [, body] =
    /^HTTP \d{3}(?: [A-Z][\w' -]*)?\nhttps?:\/\/(?:.|\n(?!\n))*\n\n([^]*)$/u.exec(content) ?? [];
  if (body === undefined) throw new Error(`no head: ${content.slice(0, 500)}`);
  return body;
}

/** Its failure, or an error that says what came instead. */
export function failureOf(result: ToolResult): ToolFailure {
  if (result.ok) throw new Error(`no failure but ${result.content.slice(0, 200)}`);
  return result;
}

/** A page whose text takes exactly `bytes` in UTF-8. */
export function pageOf(bytes: number, letter = "x"): string {
  const width = Buffer.byteLength(letter);
  const text = letter.repeat(Math.floor(bytes / width)) + "x".repeat(bytes % width);
  return `<!doctype html><script>${"y".repeat(2000)}</script><p>${text}</p>`;
}

/** A model that answers with `text`, or fails without one. */
export function modelOf(text?: string, reason: "stop" | "length" = "stop") {
  const requests: ChatRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const failure = { code: "LLM_REQUEST", message: "down", retryable: true } as const;
  const provider: Provider = {
    name: "small",
    model: "small",
    async *stream(request) {
      requests.push(request);
      if (text !== undefined) yield { kind: "content", text };
      if (text === undefined) yield { kind: "end", reason: "failed", usage, failure };
      else yield { kind: "end", reason, usage };
    },
  };
  return { requests, extractProvider: () => provider };
}
