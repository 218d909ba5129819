import type { Emit } from "../../channels/channel.ts";
import type { Clock } from "../../core/clock.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import type { Aside, ChatMessage, Provider, ToolCall } from "../../providers/provider.ts";
import { filterLinks } from "../../security/plain-links.ts";
import type { Provenance } from "../../security/provenance.ts";
import type { Redactor } from "../../security/redact/redact.ts";
import type { Texts } from "../../texts/texts.ts";
import type { ArgumentContext, Tool, ToolFailure } from "../../tools/tool.ts";
import type { AgentCore, RequestContext, TurnLimits } from "../deps.ts";
import type { Gate } from "../gate/gate.ts";
import { createToolGuard, type ToolGuard } from "../gate/gate.ts";
import { createToolbox, type Toolbox } from "./toolbox.ts";
import type { TurnJournal } from "./turn-journal.ts";

/** One turn's material. */
export interface TurnRequest {
  readonly model: TurnModel;
  readonly tools: readonly Tool[];
  /** Every tool that is shown passes it, and every call. */
  readonly gate: Pick<Gate, "show" | "authorize" | "receive">;
  /** Keeps what the turn adds to the conversation. */
  readonly journal: TurnJournal;
  /** That the person's message is kept, where it may not be yet: no model is asked before. */
  readonly opened?: Promise<void>;
  readonly conversation: TurnConversation;
  readonly voice: TurnVoice;
  readonly bounds: TurnBounds;
}

/** Who answers, and how freely. */
export interface TurnModel {
  readonly provider: Provider;
  readonly temperature: number;
}

/** What a turn begins with. */
export interface TurnConversation {
  /** System prompt, history and the user's message. */
  readonly messages: readonly ChatMessage[];
  /** What tools may fill in missing arguments from. */
  readonly argumentContext: ArgumentContext;
  /** What a crash left of the turn: it is in `messages`, too. */
  readonly begun?: BegunTurn;
}

/** How a turn speaks to the person. */
export interface TurnVoice {
  /** Must not throw. */
  readonly emit: Emit;
  /** What the agent says for itself. */
  readonly texts: Texts;
  /** Masks secrets in what the model says and in what tools tell it. */
  readonly redact: Redactor["redact"];
  readonly findCut: Redactor["findCut"];
  /** Which links of an answer can be followed. */
  readonly mayLink: Provenance["mayLink"];
}

/** What ends a turn. */
export interface TurnBounds {
  readonly limits: TurnLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a turn said and called before papa-yu ended in the middle of it. */
export interface BegunTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** What a turn came to and what it cost. */
export interface TurnResult {
  readonly text: string;
  readonly toolCalls: readonly TurnCall[];
  readonly modelCalls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In the currency of the configured prices; absent without prices. */
  readonly cost?: number;
  readonly error?: TurnError;
}

/** Why a turn ended early. */
export interface TurnError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The message is for the person, in their language, and says it all. */
  readonly isSaid?: true;
  /** Trying again does not help: a wrong key, a model that is not there. */
  readonly isLasting?: true;
}

/** One tool call of a turn, for reports; repeats and calls that were put off are none. */
export interface TurnCall {
  readonly name: string;
  readonly args: string;
  readonly ok: boolean;
  readonly errorCode?: ErrorCode;
  /** It was denied only because nobody is there who could say yes. */
  readonly needsPerson?: true;
}

/** One answer of the model; one that broke off or was cut has no calls. */
export interface Answer extends Said {
  readonly toolCalls: readonly ToolCall[];
  readonly error?: TurnError;
}

/** One call with the result that the model gets; one that was put off neither worked nor failed. */
export interface CallResult {
  readonly call: ToolCall;
  readonly kind: "done" | "put_off" | "failed";
  readonly content: string;
  /** The address whose own words these are. */
  readonly page?: string;
}

/** What the model said in a round, and what it gave for itself. */
export interface Said {
  readonly content: string;
  readonly aside?: Aside;
}

/** What the model said, and the calls that were answered to its use. */
export interface Unkept extends Said {
  readonly results: readonly CallResult[];
}

/** A turn while it runs. */
export interface Turn extends Pick<TurnRequest, "model" | "gate" | "journal" | "voice"> {
  /** `signal` is the user's and the time limit's in one. */
  readonly bounds: TurnBounds & { readonly endsAt: number };
  readonly calls: TurnCalls;
  readonly messages: ChatMessage[];
  /** The person's message is kept: asked for in the tick in which the turn begins. */
  readonly opened: Promise<void>;
  readonly progress: TurnProgress;
}

/** What a turn may call, and what it has called. */
export interface TurnCalls {
  readonly toolbox: Toolbox;
  readonly guard: ToolGuard;
  readonly argumentContext: ArgumentContext;
  /** Tools whose schema was sent in answer to a call that did not fit it. */
  readonly explained: Set<string>;
  /** What each tool failed with last, the latest last; one that worked since is not among them. */
  readonly failures: Map<string, ToolFailure>;
  /** Why each tool's last call that did not run, did not. */
  readonly notRun: Map<string, ToolFailure>;
  /** Whose failure the person was told. */
  readonly told: Set<string>;
  /** Tools that did more than to look, in order. */
  readonly done: string[];
  /** A call waits for a person's answer. */
  hasAsked: boolean;
}

/** How far a turn is, and what it took. */
export interface TurnProgress {
  text: string;
  /** Of the round that runs, for the journal; calls that failed are left out. */
  unkept: Unkept;
  readonly toolCalls: TurnCall[];
  readonly tokens: { input: number; output: number };
  modelCalls: number;
  cost: number | undefined;
  /** What requests cost, on its way to the disk. */
  readonly unsettled: Promise<void>[];
}

const NOTHING: Unkept = { content: "", results: [] };

/** A turn at its beginning. */
export function openTurn(request: TurnRequest): Turn {
  const { model, gate, journal, voice, conversation } = request;
  const { limits, signal, clock } = request.bounds;
  const { messages, argumentContext, begun } = conversation;
  return {
    model,
    gate,
    journal,
    voice,
    bounds: {
      limits,
      clock,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.turnTimeoutMs)]),
      endsAt: clock.now() + limits.turnTimeoutMs,
    },
    calls: {
      toolbox: createToolbox(request.tools),
      guard: createToolGuard(limits.maxFailuresInARow, begun?.calls),
      argumentContext,
      explained: new Set(),
      failures: new Map(),
      notRun: new Map(),
      told: new Set(),
      done: [],
      hasAsked: false,
    },
    messages: [...messages],
    opened: request.opened ?? Promise.resolve(),
    progress: {
      text: begun?.text ?? "",
      unkept: NOTHING,
      toolCalls: [],
      tokens: { input: 0, output: 0 },
      modelCalls: 0,
      cost: undefined,
      unsettled: [],
    },
  };
}

/** Says something to the user that may quote others, now and in the turn's text. */
export function say(turn: Turn, text: string): Promise<void> {
  return tell(turn, filterLinks(text, turn.voice.mayLink));
}

/** The same of a text whose links have been looked at. */
export async function tell(turn: Turn, text: string): Promise<void> {
  turn.progress.text += text;
  await turn.voice.emit({ kind: "content", text });
}

/** What sets a new paragraph apart from what was said so far. */
export function paragraphGap({ progress: { text } }: Turn): string {
  return text === "" || text.endsWith("\n") ? "" : "\n\n";
}

/** What is kept of the turn that a message had before a crash. */
export interface StoredTurn extends BegunTurn {
  readonly startedAt: number;
  /** It was answered; only the answer may not have arrived. */
  readonly isOver: boolean;
}

/** The turn `turnId` as far as it came; undefined: it was never begun. */
export function loadBegun(
  { speaker }: RequestContext,
  { sessions }: AgentCore,
  turnId: string,
): StoredTurn | undefined {
  const stored = sessions.turn(speaker.sessionId, turnId);
  if (!stored) return undefined;
  const own = stored.messages.filter((message) => message.role === "assistant");
  const texts = own.map(({ content }) => content).filter((content) => content !== "");
  const calls = own.flatMap(({ toolCalls = [] }) => toolCalls);
  const { startedAt, isOver } = stored;
  return { startedAt, isOver, text: texts.join("\n\n"), calls };
}
