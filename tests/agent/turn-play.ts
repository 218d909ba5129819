import type { Gate } from "../../src/agent/gate/gate.ts";
import { isChange } from "../../src/agent/gate/tool-guard.ts";
import { runTurn } from "../../src/agent/turn/turn.ts";
import type { TurnJournal } from "../../src/agent/turn/turn-journal.ts";
import type { TurnBounds, TurnConversation, TurnRequest } from "../../src/agent/turn/turn-state.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { systemClock } from "../../src/core/clock.ts";
import type {
  ChatMessage,
  ChatRequest,
  Provider,
  ProviderEvent,
} from "../../src/providers/provider.ts";
import { textsIn } from "../../src/texts/texts.ts";
import type { Tool, ToolEffect, ToolResult } from "../../src/tools/tool.ts";

export const usage = { inputTokens: 5, outputTokens: 2 };
export const limits = {
  maxToolIterations: 10,
  maxFailedRounds: 3,
  maxFailuresInARow: 2,
  turnTimeoutMs: 60_000,
};

type Step = string | readonly { readonly name: string; readonly args: string }[];

/** A provider that plays one step per request; the last one stays. */
export function play(...steps: Step[]): Provider & { readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: "scripted",
    model: "m",
    asked,
    async *stream(request): AsyncGenerator<ProviderEvent> {
      asked.push(request);
      const step = steps[Math.min(asked.length, steps.length) - 1] ?? "";
      if (typeof step === "string") {
        yield { kind: "content", text: step };
        return yield { kind: "end", reason: "stop", usage };
      }
      for (const [i, { name, args }] of step.entries()) {
        yield { kind: "tool_call", call: { id: `${asked.length}-${i}`, name, arguments: args } };
      }
      yield { kind: "end", reason: "tool_calls", usage };
    },
  };
}

type Facts = "origin" | "leaves";

/** A tool that answers what it is told to and keeps what it was called with. */
export function tool(
  name: string,
  result: () => ToolResult,
  effect: ToolEffect = "none",
  more: Partial<Omit<Tool, Facts>> & Partial<Pick<Tool, Facts>> = {},
): Tool & { readonly runs: unknown[] } {
  const runs: unknown[] = [];
  const parameters = {
    type: "object",
    properties: { q: { type: "string" }, n: { type: "integer" }, b: { type: "boolean" } },
    required: ["q"],
  } as const;
  return {
    schema: { name, description: name, parameters },
    origin: "own",
    leaves: more.origin === "outside" ? "arguments" : "nothing",
    effect: () => effect,
    runs,
    async run(args) {
      runs.push(args);
      return result();
    },
    ...more,
  };
}

export const retryable: ToolResult = {
  ok: false,
  error: "busy",
  errorCode: "timeout",
  retryable: true,
};
export const permanent: ToolResult = {
  ok: false,
  error: "no key",
  errorCode: "unavailable",
  retryable: false,
};
/** One call, by its argument `q`. */
export const call = (q: number, name = "look") => [
  { name, args: JSON.stringify({ q: String(q) }) },
];

/** A gate that lets every call through, and every result. */
export const OPEN: Pick<Gate, "show" | "authorize" | "receive"> = {
  show: (tools) => tools.map(({ schema }) => schema),
  authorize: async (each, args) => ({ kind: "run", hasEffect: isChange(each.effect(args)) }),
  receive: (_tool, _args, result) => result,
};

/** A journal in memory; `lines` says what was written, in order. */
export function createNotes() {
  const kept: ChatMessage[] = [];
  const lines: string[] = [];
  const journal: TurnJournal = {
    async keep(messages, standing) {
      kept.push(...messages);
      lines.push(...messages.map(({ role }) => `${standing ?? "kept"} ${role}`));
    },
    async begin({ name }) {
      lines.push(`begin ${name}`);
      return name;
    },
    async end(id, { kept: done, failed }) {
      await journal.keep(done);
      lines.push(...failed.map(({ role }) => `failed ${role}`), `end ${id}`);
    },
  };
  return { kept, lines, journal };
}

/** What a test may have differently, by its name alone. */
type TurnParts = Pick<TurnRequest, "gate"> & TurnConversation & TurnBounds;

/** One turn, with everything that was emitted and kept. */
export async function run(
  provider: Provider,
  tools: readonly Tool[],
  { gate = OPEN, limits: bound = limits, clock = systemClock, ...more }: Partial<TurnParts> = {},
) {
  const events: AgentEvent[] = [];
  const { kept, lines, journal } = createNotes();
  const turn = await runTurn({
    model: { provider, temperature: 0 },
    tools,
    gate,
    journal,
    conversation: {
      messages: more.messages ?? [{ role: "user", content: "hi" }],
      argumentContext: more.argumentContext ?? { userTexts: ["hi"] },
      ...(more.begun && { begun: more.begun }),
    },
    voice: {
      emit: (event) => void events.push(event),
      texts: textsIn("en"),
      redact: (text) => text.replaceAll("SECRET", "[secret]"),
      findCut: (_text, end) => end,
      mayLink: () => true,
    },
    bounds: {
      limits: bound,
      clock,
      signal: more.signal ?? new AbortController().signal,
    },
  });
  return { turn, kept, lines, events, kinds: events.map(({ kind }) => kind) };
}
