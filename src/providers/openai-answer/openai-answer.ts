import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { isFields, toForeignJson } from "../../core/guards.ts";
import type { Aside, ToolCall, Usage } from "../provider.ts";
import { parseUsage } from "./parse-usage.ts";
import { createThoughtDetails } from "./thought-details.ts";
import { createToolCallMerger, type MergedCall, type ToolCallDelta } from "./tool-call-merger.ts";

/** An answer as its chunks add up. */
export interface Answer {
  /** Takes one chunk and returns the text that can be passed on. */
  add(chunk: Chunk): string;
  /** The server said that this was all, which is a reason to stop where calls are whole; what was held back. */
  end(): string;
  /** Complete with its reason to stop; what has begun and has none broke off. */
  state(): "none" | "begun" | "complete";
  calls(): readonly ToolCall[];
  /** What came for its sender alone; undefined: nothing. */
  aside(): Omit<Aside, "provider" | "model"> | undefined;
  /** What came and is no text. */
  unseen(): { readonly thoughtBytes: number; readonly argumentBytes: number };
  /** Undefined: the server has not said it. */
  usage(): Usage | undefined;
  /** @throws AppError LLM_REQUEST when the answer broke off or was withheld. */
  reason(): "stop" | "tool_calls" | "length";
}

/** Words and arguments together; no model says so much, and all of it is held. */
const MAX_CHARS = 4 * 1024 * 1024;
/** Thoughts go back with each request that has their calls: no more of them than a request bears. */
const MAX_THOUGHT_CHARS = 32 * 1024;
/** Of one call; what is opaque is whole or nothing. */
const MAX_EXTRA_CHARS = 32 * 1024;

/** Gathers the chunks of one answer. */
export function createAnswer(): Answer {
  const merger = createToolCallMerger();
  const details = createThoughtDetails();
  let usage: Usage | undefined;
  let finishReason: string | undefined;
  let halfCharacter = "";
  let thoughtBytes = 0;
  let argumentBytes = 0;
  let saidChars = 0;
  let hasChoice = false;
  let thoughts = "";
  let merged: readonly MergedCall[] | undefined;
  const toCalls = () => (merged ??= merger.calls());
  return {
    add(chunk) {
      const args = chunk.calls.map((call) => call.arguments).join("");
      thoughtBytes += Buffer.byteLength(chunk.thought);
      argumentBytes += Buffer.byteLength(args);
      saidChars += chunk.text.length + args.length;
      if (saidChars > MAX_CHARS) throw broken("the answer is over 4 MiB", false);
      for (const call of chunk.calls) merger.add(call);
      if (thoughts.length < MAX_THOUGHT_CHARS) thoughts += chunk.ownThought;
      details.add(chunk.thoughtDetails);
      usage = chunk.usage ?? usage;
      finishReason ??= chunk.finishReason;
      hasChoice ||= chunk.hasChoice;
      const text = halfCharacter + chunk.text;
      halfCharacter = finishReason === undefined ? trailingHalf(text) : "";
      return text.slice(0, text.length - halfCharacter.length);
    },
    end() {
      const isWhole = merger.isEmpty() ? saidChars > 0 : merger.isWhole();
      if (finishReason !== undefined || !isWhole) return "";
      finishReason = "stop";
      return halfCharacter;
    },
    state: () => (finishReason !== undefined ? "complete" : hasChoice ? "begun" : "none"),
    calls: () => toCalls().map(({ call }) => call),
    aside() {
      const extras = toCalls().flatMap(({ call: { id }, extra }) => (extra ? [[id, extra]] : []));
      const json = details.toJson();
      if (thoughts === "" && extras.length === 0 && json === undefined) return undefined;
      return {
        ...(json !== undefined && { details: json }),
        ...(thoughts !== "" && { thoughts: shorten(thoughts, MAX_THOUGHT_CHARS) }),
        ...(extras.length > 0 && { ofCalls: Object.fromEntries(extras) }),
      };
    },
    unseen: () => ({ thoughtBytes, argumentBytes }),
    usage: () => usage,
    reason() {
      switch (finishReason) {
        case undefined:
          throw broken(hasChoice ? "the stream broke off; try again" : NOTHING, true);
        case "error":
          throw broken("the server reports an error in mid-answer; try again", true);
        case "content_filter":
          throw broken("its content filter withheld it; put it in other words", false);
        case "length":
          return "length";
        default:
          // Some servers say "stop" after tool calls: what came counts, not the word.
          return merger.isEmpty() ? "stop" : "tool_calls";
      }
    },
  };
}

const NOTHING = "the stream ended before anything of an answer came; try again";

/** The first half of a character outside the BMP whose second half is in the next chunk. */
function trailingHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? "";
}

function broken(reason: string, retryable: boolean): AppError {
  return new AppError("LLM_REQUEST", reason, { details: { retryable } });
}

/** One piece of an answer, as much of it as could be understood. */
interface Chunk {
  readonly text: string;
  /** What a model says to itself; nobody reads it, but it costs. */
  readonly thought: string;
  /** As much of it as its sender may want back, under the name that those have for it. */
  readonly ownThought: string;
  /** The same in the form of those that have one for it. */
  readonly thoughtDetails: unknown;
  readonly calls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  /** Whether it is a part of an answer at all. */
  readonly hasChoice: boolean;
  /** Whether it brings anything: words, thoughts or calls, and not only a sign of life. */
  readonly isProgress: boolean;
}

/**
 * Reads one `chat.completion.chunk`, or a whole `chat.completion` from a server that does not
 * stream. Compatible servers leave out and add fields: what is not understood is skipped.
 *
 * @throws AppError LLM_REQUEST when the server reports an error in place of an answer.
 */
export function parseChunk(value: unknown): Chunk {
  const chunk = toRecord(value);
  if (chunk["error"]) {
    const details = { retryable: true, isInstead: true };
    throw new AppError("LLM_REQUEST", errorText(chunk["error"]), { details });
  }
  const choice = toRecord(toArray(chunk["choices"])[0]);
  const isWhole = "message" in choice;
  const message = toRecord(isWhole ? choice["message"] : choice["delta"]);
  return {
    text: contentText(message["content"]) + (toText(message["refusal"]) ?? ""),
    thought: toText(message["reasoning_content"]) ?? toText(message["reasoning"]) ?? "",
    ownThought: toText(message["reasoning_content"]) ?? "",
    thoughtDetails: message["reasoning_details"],
    hasChoice: isWhole || "delta" in choice,
    isProgress: isWhole || toText(choice["finish_reason"]) !== undefined || saysAnything(message),
    calls: toArray(message["tool_calls"]).map(parseCall),
    finishReason: toText(choice["finish_reason"]) ?? (isWhole ? "stop" : undefined),
    usage: parseUsage(chunk["usage"]),
  };
}

function errorText(error: unknown): string {
  return toText(toRecord(error)["message"]) ?? toJson(error);
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return toText(content) ?? "";
  return content.map((part) => toText(toRecord(part)["text"]) ?? "").join("");
}

/** What only says who speaks or which part it is. */
const LABELS: ReadonlySet<string> = new Set(["role", "type", "index", "id", "format"]);
const MAX_DEPTH = 5;

/** Vendors have many names for what a model thinks; all that has words in it counts. */
function saysAnything(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  return Object.entries(value).some(
    ([name, each]) => !LABELS.has(name) && saysAnything(each, depth + 1),
  );
}

/** @throws AppError LLM_REQUEST for what is nested deeper than anybody reads: to write that takes seconds */
function toJson(value: unknown): string {
  const json = toForeignJson(value);
  if (json !== undefined) return json;
  throw new AppError("LLM_REQUEST", "a part of the answer is nested too deep to be read");
}

function parseCall(value: unknown): ToolCallDelta {
  const call = toRecord(value);
  const named = toRecord(call["function"]);
  const index = call["index"];
  const args = named["arguments"] ?? "";
  return {
    index: typeof index === "number" ? index : undefined,
    id: toText(call["id"]),
    name: toText(named["name"]),
    arguments: typeof args === "string" ? args : toJson(args),
    extra: isFields(call["extra_content"]) ? toExtra(call["extra_content"]) : undefined,
  };
}

function toExtra(value: object): string | undefined {
  const json = toForeignJson(value);
  return json !== undefined && json.length <= MAX_EXTRA_CHARS ? json : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
