import { type Act, failureIn, json, readAct } from "../../client/client.ts";
import { type Block, type Running, readBlocks, readCalls } from "./wire.ts";

/** A part of an answer, in the order in which it came. */
export type Piece =
  | {
      readonly kind: "prose";
      readonly text: string;
      /** Of so many of its characters; the others stand behind them as they are. */
      readonly chars: number;
      readonly blocks: readonly Block[];
      /** Something else came: what is said next is another text, with blocks of its own. */
      readonly isOver: boolean;
    }
  | { readonly kind: "verbatim"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly args: string;
      readonly result: string | undefined;
    }
  | {
      readonly kind: "file";
      readonly ref: string;
      readonly path: string;
      readonly sizeBytes: number;
      /** The bot sends it as well. */
      readonly isSent: boolean;
    }
  /** A question or a plan, which stands in the inbox as long as it waits. */
  | { readonly kind: "asked"; readonly ref: string }
  /** What may be pressed about what was said before it. */
  | { readonly kind: "actions"; readonly actions: readonly Act[] };

/** A message that was sent from this page, and what came of it until now. */
export interface Turn {
  readonly key: string;
  /** None for a press. */
  readonly said: string | undefined;
  readonly pieces: readonly Piece[];
  readonly state: "sent" | "running" | "ended" | "stopped" | "failed" | "lost";
  readonly progress: string;
  /** The newest lines of a check that runs. */
  readonly output: string;
  readonly failure: string;
}

const { fields, list, text, number } = json;

/** A turn of which nothing has come. */
export function beginTurn(key: string, said: string | undefined): Turn {
  const nothing = { progress: "", output: "", failure: "" };
  return { key, said, pieces: [], state: "sent", ...nothing };
}

/** The turn with one document more of its stream. */
export function takeDocument(turn: Turn, value: unknown): Turn {
  const it = fields(value);
  const { pieces } = turn;
  const failure = failureIn(it);
  if (failure !== undefined) {
    const passed = { progress: "", output: "" };
    return { ...turn, ...passed, pieces: withProseOver(pieces), state: "failed", failure };
  }
  if (typeof it["progress"] === "string") return { ...turn, progress: text(it["progress"]) };
  if (typeof it["check_output"] === "string") return { ...turn, output: text(it["check_output"]) };
  const next = toPieces(pieces, it);
  return next === pieces ? turn : { ...turn, pieces: next, progress: "", output: "" };
}

/** What somebody said or pressed elsewhere, as the one at this place of all that runs. */
export function toOther({ key, said, isOver, documents }: Running, at: number): Turn {
  const begun = { ...beginTurn(key ?? `of others ${at}`, said), state: "running" as const };
  const turn = documents.reduce<Turn>(takeDocument, begun);
  return isOver && turn.state === "running" ? { ...turn, state: "ended" } : turn;
}

/** Whether its answer is still to come. */
export function isUnderWay({ state }: Turn): boolean {
  return state === "sent" || state === "running";
}

/** What stands for it says the same, and more. */
function withoutText(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.at(-1)?.kind === "verbatim" ? pieces.slice(0, -1) : pieces;
}

/** A text ends with whatever is no piece of it, also where nothing is drawn of that. */
function withProseOver(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  if (last?.kind !== "prose" || last.isOver) return pieces;
  return [...pieces.slice(0, -1), { ...last, isOver: true }];
}

function withResult(pieces: readonly Piece[], id: unknown, result: string): readonly Piece[] {
  return pieces.map((each) =>
    each.kind === "call" && each.id === id ? { ...each, result } : each,
  );
}

function toPieces(
  pieces: readonly Piece[],
  it: Readonly<Record<string, unknown>>,
): readonly Piece[] {
  const last = pieces.at(-1);
  const content = text(it["content"]);
  if (content !== "" && it["verbatim"] === true) {
    return [...pieces, { kind: "verbatim", text: content }];
  }
  if (content !== "") {
    const open = last?.kind === "prose" && !last.isOver ? last : undefined;
    const prose =
      open ?? ({ kind: "prose", text: "", chars: 0, blocks: [], isOver: false } as const);
    return [
      ...pieces.slice(0, open ? -1 : pieces.length),
      { ...prose, text: prose.text + content },
    ];
  }
  if (it["rendered"] !== undefined && last?.kind === "prose") {
    const rendered = fields(it["rendered"]);
    const blocks = [
      ...last.blocks.slice(0, number(rendered["from"])),
      ...readBlocks(rendered["blocks"]),
    ];
    return [...pieces.slice(0, -1), { ...last, chars: number(rendered["chars"]), blocks }];
  }
  const calls = readCalls(it["tool_calls"]);
  if (calls.length > 0) {
    return [
      ...pieces,
      ...calls.map(
        ({ id, name, args }) => ({ kind: "call", id, name, args, result: undefined }) as const,
      ),
    ];
  }
  if (it["tool_result"] !== undefined) {
    const { tool_call_id: id, result } = fields(it["tool_result"]);
    return withResult(withProseOver(pieces), id, text(result));
  }
  if (it["file"] !== undefined) {
    const file = fields(it["file"]);
    const [ref, path] = [text(file["file_id"]), text(file["path"])];
    const sizeBytes = number(file["size_bytes"]);
    const isSent = it["sent_to"] === "telegram";
    return [...withoutText(pieces), { kind: "file", ref, path, sizeBytes, isSent }];
  }
  const asked = text(fields(it["approval"])["approval_id"] ?? fields(it["plan"])["plan_id"]);
  if (asked !== "") return [...withoutText(pieces), { kind: "asked", ref: asked }];
  const actions = list(it["actions"]).map(readAct);
  if (actions.length > 0) return [...pieces, { kind: "actions", actions }];
  return pieces;
}
