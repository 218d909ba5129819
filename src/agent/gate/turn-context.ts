import { isAllowedHost, toHostName } from "../../http/check-host.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import {
  type AddressedRequest,
  type Leaving,
  type Origin,
  openProvenance,
  type Provenance,
  type Reading,
} from "../../security/provenance.ts";
import { splitMarked } from "../../security/untrusted.ts";
import { READING_KEPT_MS } from "../../store/settings/settings.ts";
import type { Tool, ToolArguments, ToolResult } from "../../tools/tool.ts";
import { toRequest } from "../../tools/web/web.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { SUMMARY_HEAD } from "../history/history.ts";
import { originOf } from "./receive-result.ts";

/** The labelled context of a turn: the conversation so far, and what the turn reads. */
export interface TurnContext
  extends Omit<Provenance, "addPersonsText" | "read" | "allow" | "recall"> {
  /** Takes note of tools that the model is shown: what strangers say of theirs is read with it. */
  show(tools: readonly Tool[]): void;
  /** Takes note of a call that ran. */
  take(tool: Tool, args: ToolArguments, result: ToolResult): void;
}

/**
 * Opens it for a turn that begins with `messages`. What the session read in the last day counts
 * though it is not here any more: the model may still be led by what it said of it.
 */
export function openTurnContext(
  request: RequestContext,
  core: AgentCore,
  messages: readonly ChatMessage[],
): TurnContext {
  const { allowedHosts, allowedCommands } = core.security;
  const provenance = openProvenance({
    isHost: (url) => isAllowedHost(toHostName(url), allowedHosts),
    texts: [...allowedCommands, ...core.workspaces.names],
  });
  for (const address of loadAllowed(request, core)) provenance.allow(address);
  replay(messages, provenance);
  keepReading(request, core, provenance.reading());
  provenance.recall(loadReading(request, core));
  const shown = new Set<string>();
  return {
    ...provenance,
    show(tools) {
      for (const { schema, wordedBy } of tools) {
        if (wordedBy !== "outside" || shown.has(schema.name)) continue;
        shown.add(schema.name);
        provenance.read(wordedBy, JSON.stringify(schema));
        keepReading(request, core, wordedBy);
      }
    },
    take(tool, args, result) {
      const text = result.ok ? result.content : result.error;
      const address = result.ok ? result.page : undefined;
      const page = address === undefined ? undefined : { address, request: toRequest(args) };
      const origin = originOf(tool, result);
      // What failed may quote the model: only an answer is all the server's.
      provenance.read(origin, text, page, result.ok ? tool.server?.name : undefined);
      keepReading(request, core, origin);
    },
  };
}

/** Labels what a conversation holds, in its order; the model's own messages are no piece. */
function replay(messages: readonly ChatMessage[], provenance: Provenance): void {
  const requests = new Map<string, AddressedRequest>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { id, arguments: args } of message.toolCalls ?? []) {
        const request = readRequest(args);
        if (request) requests.set(id, request);
      }
    }
    if (message.role !== "user" && message.role !== "tool") continue;
    const isPersons = message.role === "user" && !message.content.startsWith(SUMMARY_HEAD);
    const request = message.role === "tool" ? requests.get(message.toolCallId) : undefined;
    const address = message.role === "tool" ? message.page : undefined;
    const page = request && address !== undefined ? { address, request } : undefined;
    for (const { origin, text } of splitMarked(message.content)) {
      if (origin !== "own") provenance.read(origin, text, page);
      else if (isPersons) provenance.addPersonsText(text);
    }
  }
}

function readRequest(argsJson: string): AddressedRequest | undefined {
  try {
    const args: unknown = JSON.parse(argsJson);
    if (typeof args !== "object" || args === null || !("url" in args)) return undefined;
    return toRequest({ ...args });
  } catch {
    return undefined;
  }
}

/** Marks a conversation as one in which such text was read. */
export function keepReading(
  { speaker }: RequestContext,
  { settings, clock }: AgentCore,
  reading: Reading | Origin,
): void {
  if (reading === "clean" || reading === "own") return;
  settings.of(FAMILY[reading]).set(speaker.sessionId, clock.now());
}

function loadReading({ speaker }: RequestContext, { settings, clock }: AgentCore): Reading {
  const isFresh = (reading: "outside" | "workspace") => {
    const at = settings.of(FAMILY[reading]).get(speaker.sessionId);
    return at !== undefined && clock.now() - at < READING_KEPT_MS;
  };
  if (isFresh("outside")) return "outside";
  return isFresh("workspace") ? "workspace" : "clean";
}

const FAMILY = { outside: "tainted:", workspace: "read:" } as const;

/** Keeps a person's yes to a request: whole links of that host need no other one for a day. */
export function keepAllowed(request: RequestContext, core: AgentCore, leaving: Leaving): void {
  const origin = leaving.kind === "request" ? URL.parse(leaving.url)?.origin : undefined;
  if (origin === undefined) return;
  const { settings, clock } = core;
  const origins = [...new Set([origin, ...loadAllowed(request, core)])].slice(0, MOST_ALLOWED);
  const kept = { at: clock.now(), origins };
  settings.of("allowed:").set(request.speaker.sessionId, kept);
}

function loadAllowed(
  { speaker }: RequestContext,
  { settings, clock }: AgentCore,
): readonly string[] {
  const kept = settings.of("allowed:").get(speaker.sessionId);
  return kept && clock.now() - kept.at < READING_KEPT_MS ? kept.origins : [];
}

const MOST_ALLOWED = 50;
