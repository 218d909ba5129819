import { shorten } from "../../core/cut-text.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { type Received, receiveText, type Screening } from "../../security/injection.ts";
import type { Origin } from "../../security/provenance.ts";
import { defuse } from "../../security/untrusted.ts";

/** One piece of context as the model sees it. */
export interface Block {
  readonly kind:
    | "env"
    | "preferences"
    | "guide"
    | "tree"
    | "file"
    | "search"
    | "logs"
    | "online"
    | "changes"
    | "tried"
    | "note";
  /** 0: named by the goal or asked for by the model, cut last; higher goes first. */
  readonly priority: number;
  /** First line, never cut; for files the one with the sha256. */
  readonly header: string;
  readonly body: string;
  /** Who may have written the body, where it is not what its kind says. */
  readonly origin?: Received["origin"];
  /** Of a file block. */
  readonly path?: string;
  /** sha256 of the whole file, whatever part the body shows. */
  readonly sha256?: string;
  /** Whether the body has every line of the file. */
  readonly isWhole?: boolean;
}

/**
 * Blocks as one text for a model, in their order. What others may have written stands between two
 * lines with a random boundary and is checked for orders, as what a tool of a chat gives.
 */
export function renderBlocks(blocks: readonly Block[], screening: Screening): string {
  return blocks.map((block) => renderBlock(block, screening)).join("\n\n");
}

function renderBlock(block: Block, screening: Screening): string {
  const { kind, header, body } = block;
  const origin = block.origin ?? WRITTEN_BY[kind];
  const head = defuse(header);
  if (body === "") return head;
  if (origin === "own") return `${head}\n${body}`;
  const source = { context: toOneLine(shorten(head, MOST_SOURCE_CHARS)) };
  return `${head}\n${receiveText({ text: body, origin, source }, screening)}`;
}

/** What the two lines around a body add, in UTF-16 units; a warning of orders in it comes on top. */
export function frameChars(block: Block): number {
  const origin = block.origin ?? WRITTEN_BY[block.kind];
  return origin === "own" || block.body === "" ? 0 : FRAME_CHARS[origin];
}

const FRAME_CHARS = { workspace: 40, outside: 160 } as const;

const MOST_SOURCE_CHARS = 80;

/**
 * Whose words the bodies are. "own": in lines of ours. A file has the number before each of its
 * lines, which no text can leave, and stays exact to the byte, as patches must be.
 */
const WRITTEN_BY: Readonly<Record<Block["kind"], Origin>> = {
  note: "own",
  file: "own",
  env: "workspace", // scripts of a manifest
  tree: "workspace", // names of files
  preferences: "workspace",
  guide: "workspace",
  search: "workspace",
  logs: "workspace",
  changes: "workspace",
  online: "outside",
  tried: "outside", // a model's words, after it has read anything
};

/** Something to say about the context, in one line. */
export function renderNote(text: string): Block {
  return { kind: "note", priority: 0, header: toOneLine(text), body: "" };
}

/** sha256 by path of every file that blocks show. */
export function filesSeen(blocks: readonly Block[]): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap(({ path, sha256 }) => (path && sha256 ? [[path, sha256]] : [])),
  );
}

/**
 * Paths of the files that blocks show from their first line to their last, as they were when they
 * were seen last: a part that was read later may be of a newer file.
 */
export function filesSeenWhole(blocks: readonly Block[]): readonly string[] {
  const seen = filesSeen(blocks);
  const whole = blocks.flatMap(({ path, sha256, isWhole }) =>
    path && isWhole && seen[path] === sha256 ? [path] : [],
  );
  return [...new Set(whole)];
}

/**
 * Cuts text to `maxChars` UTF-16 units: 60 % head, 40 % tail and a line that says how much fell
 * out. Never splits a code point; "…" marks both edges, since lines may be cut in two.
 */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = (left: number) => `…\n… ${left} characters left out …\n…`;
  const room = Math.max(0, maxChars - note(text.length).length);
  const headChars = Math.floor(room * 0.6);
  const tailStart = text.length - (room - headChars);
  const head = text.slice(0, splitsPair(text, headChars) ? headChars - 1 : headChars);
  const tail = text.slice(splitsPair(text, tailStart) ? tailStart + 1 : tailStart);
  return head + note(text.length - head.length - tail.length) + tail;
}

function splitsPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

/** A name from a disk or a manifest: a line break in it could pass for a line of ours. */
export function toOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/** A name from a disk or a manifest as a line of a list: with all that is hidden, and no first line of a block. */
export function toListedName(name: string): string {
  const line = toPrintableText(toOneLine(name));
  return quoteHeaders(line) === line ? line : `"${line}"`;
}

/** Text from outside, whose lines must not pass for the first line of a block. */
export function quoteHeaders(text: string): string {
  return text.replace(HEADER_LIKE, "> ");
}

const HEADER_LIKE =
  /^(?=[\p{Z}\p{Cf}\t]*(?:(?:FILE|GUIDE|SEARCH|LOGS|REFUSED|CHANGE_SET|TRIED)\[|FILES \(|(?:ENVIRONMENT|PROJECT|PREFERENCES|GOAL|NO ROOM|ONLINE_[A-Z_]+)(?![\p{L}\p{N}_./-])))/gmu;
