import { AppError } from "../core/app-error.ts";
import type { Usage } from "./provider.ts";
import type { ToolCallDelta } from "./tool-call-merger.ts";

/** One piece of an answer, as much of it as could be understood. */
export interface Chunk {
  readonly text: string;
  /** What a model says to itself; nobody reads it, but it costs. */
  readonly thought: string;
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
    throw new AppError("LLM_REQUEST", errorText(chunk["error"]), { details: { retryable: true } });
  }
  const choice = toRecord(toArray(chunk["choices"])[0]);
  const isWhole = "message" in choice;
  const message = toRecord(isWhole ? choice["message"] : choice["delta"]);
  return {
    text: contentText(message["content"]) + (toText(message["refusal"]) ?? ""),
    thought: toText(message["reasoning_content"]) ?? toText(message["reasoning"]) ?? "",
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

/** @throws AppError LLM_REQUEST for what is nested deeper than it can be written down */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new AppError("LLM_REQUEST", "a part of the answer is nested too deep to be read");
  }
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
  };
}

function parseUsage(value: unknown): Usage | undefined {
  if (!value) return undefined;
  const usage = toRecord(value);
  return {
    inputTokens: toCount(usage["prompt_tokens"]),
    outputTokens: toCount(usage["completion_tokens"]),
  };
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

function toCount(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.floor(value) : 0;
}
