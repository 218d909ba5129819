import type { ChatMessage } from "../providers/provider.ts";
import { isNewUrl, namesNewUrl } from "../security/seen-urls.ts";
import { holdsOutside } from "../security/untrusted.ts";
import type { ToolArguments, ToolResult } from "../tools/tool.ts";
import type { Exchange } from "./deps.ts";

/** What a turn has of strangers: their text, and the addresses that it may go to with it. */
export interface Outside {
  /** Whether the model sees text that strangers wrote, or may still be led by it. */
  readonly isTainted: () => boolean;
  /** Whether a call could carry something to an address that neither the user nor a page named. */
  mayLeak(args: ToolArguments): boolean;
  /** Takes note of a call that read from outside. */
  take(args: ToolArguments, result: ToolResult): void;
}

/**
 * Opens it for a turn that begins with `messages`: tainted from the start when they hold such
 * text, or when the session read some in the last day.
 */
export function openOutside(exchange: Exchange, messages: readonly ChatMessage[]): Outside {
  const seen = textsOf(messages);
  const holds = messages.some(({ content }) => holdsOutside(content));
  if (holds) taint(exchange);
  let isTainted = holds || wasTainted(exchange);
  return {
    isTainted: () => isTainted,
    mayLeak: (args) => mayLeak(args, seen),
    take(args, result) {
      seen.push(JSON.stringify(args), result.ok ? result.content : result.error);
      isTainted = true;
      taint(exchange);
    },
  };
}

/**
 * What addresses may stand in: the user's words, what strangers wrote, and the calls that brought
 * it. Not what a model said, or had a tool of this machine repeat.
 */
function textsOf(messages: readonly ChatMessage[]): string[] {
  const outside = new Set(
    messages.flatMap((each) =>
      each.role === "tool" && holdsOutside(each.content) ? [each.toolCallId] : [],
    ),
  );
  return messages.flatMap((message) => {
    if (message.role === "user") return holdsOutside(message.content) ? [] : [message.content];
    if (message.role === "tool") return outside.has(message.toolCallId) ? [message.content] : [];
    if (message.role !== "assistant") return [];
    const calls = message.toolCalls ?? [];
    return calls.filter(({ id }) => outside.has(id)).map((call) => call.arguments);
  });
}

/** So long the words of a stranger may live on in what the model said, though they are gone. */
const TAINT_MS = 24 * 60 * 60 * 1000;

/** Marks a conversation as one in which a stranger's words were read. */
export function taint({ deps, speaker }: Exchange): void {
  deps.settings.set(taintKey(speaker.sessionId), String(deps.clock.now()));
}

function wasTainted({ deps, speaker }: Exchange): boolean {
  const at = Number(deps.settings.get(taintKey(speaker.sessionId)) ?? Number.NaN);
  return deps.clock.now() - at < TAINT_MS;
}

function taintKey(sessionId: string): string {
  return `tainted:${sessionId}`;
}

/** A request with headers or a body can carry something even to an address that is known. */
function mayLeak(args: ToolArguments, seen: readonly string[]): boolean {
  const { headers, body, url, ...rest } = args;
  if ([headers, body].some(isGiven)) return true;
  if (url !== undefined && (typeof url !== "string" || isNewUrl(url, seen))) return true;
  return namesNewUrl(JSON.stringify(rest), seen);
}

function isGiven(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== "";
}
