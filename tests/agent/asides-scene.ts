import {
  event,
  type ModelRequest,
  type Reply,
  type Script,
  startModelServer,
} from "../support/model-server.ts";
import { openScene } from "./scene.ts";
import { tool } from "./turn-play.ts";

/** Calls of a tool, each signed if so wanted, behind a thought. */
export function callsOf(
  names: readonly string[],
  given: { thought?: string; extra?: unknown; q?: number },
): Reply {
  const tool_calls = names.map((name, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify({ q: String(given.q ?? 1) }) },
    ...(given.extra !== undefined && index === 0 && { extra_content: given.extra }),
  }));
  const chunks = [
    ...(given.thought === undefined
      ? []
      : [event({ delta: { reasoning_content: given.thought } })]),
    event({ delta: { tool_calls }, finish_reason: "tool_calls" }),
    "data: [DONE]\n\n",
  ];
  return { kind: "raw", chunks };
}

interface SentAnswer {
  readonly reasoning_content?: unknown;
  readonly reasoning_details?: unknown;
  readonly tool_calls?: readonly { readonly extra_content?: unknown }[];
}

/** The messages with calls of a request, as they came. */
export function answersOf({ text }: ModelRequest): readonly SentAnswer[] {
  const { messages }: { messages: readonly SentAnswer[] } = JSON.parse(text);
  return messages.filter(({ tool_calls }) => tool_calls !== undefined);
}

/** A request that a server does not take. */
export function refuse(message: string): Reply {
  return { kind: "status", status: 400, body: { error: { message } } };
}

/** What the model said in a request, with calls or without. */
export function saidIn({ text }: ModelRequest): readonly SentAnswer[] {
  const { messages }: { messages: readonly (SentAnswer & { role: string })[] } = JSON.parse(text);
  return messages.filter(({ role }) => role === "assistant");
}

/** A person speaks last. */
export const isAsked = ({ body }: ModelRequest) => body.messages.at(-1)?.role === "user";
/** What is said behind all calls. */
export const done: Reply = { kind: "text", text: "Done." };

/** A chain of providers at these servers: p0, p1 and so on. */
export function toConfig(...urls: readonly string[]): string {
  const providers = urls.map((url, n) => `[providers.p${n}]\nbase_url = "${url}"\nmodel = "m"\n`);
  const others = urls.slice(1).map((_, n) => `"p${n + 1}"`);
  const chain = `[reliability]\nmax_retries = 0\nfallback_providers = [${others.join()}]\n`;
  return `[default]\nprovider = "p0"\n${chain}${providers.join("")}`;
}

/** What a chat may call: it looks, or pays with the yes of a person. */
export const looking = tool("look", () => ({ ok: true, content: "seen" }));
export const paying = tool("pay", () => ({ ok: true, content: "paid" }), "change");

/** A chat at a server that answers by script. */
export async function openWith(script: Script) {
  const server = startModelServer(script);
  const scene = await openScene({ config: toConfig(server.url), tools: [looking, paying] });
  const stop = async () => {
    await scene[Symbol.asyncDispose]();
    await server.stop();
  };
  return { ...scene, server, [Symbol.asyncDispose]: stop };
}
