import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";

/** What a start found, each entry in words for its owner. */
export interface StartFacts {
  /** When there was no daemon; undefined at the very first start. */
  readonly down?: { readonly from: number; readonly to: number; readonly wasClean: boolean };
  /** Changes that were put back. */
  readonly recovered: readonly string[];
  /** How changes ended of which nobody was told. */
  readonly unreported: readonly string[];
  /** Approved calls of which nobody knows whether they took effect. */
  readonly interrupted: readonly string[];
  /** Messages that are being answered now. */
  readonly answering: readonly string[];
  /** Routines that ran when it ended. */
  readonly cutOff: readonly string[];
  /** Routines whose time came while nobody was there. */
  readonly missed: readonly string[];
  /** Of these, the ones that are run now. */
  readonly madeUp: readonly string[];
  /** Questions that still wait for an answer. */
  readonly waiting: readonly string[];
}

/** A shorter and orderly absence of which nothing is left is nobody's business. */
const SHORT_MS = 60_000;
const MOST_SHOWN = 5;
const MOST_CHARS = 160;

/** What the owner is told once after a start; undefined when there is nothing worth a message. */
export function renderStartReport(facts: StartFacts, texts: Texts["start"]): string | undefined {
  const lists = LISTS.filter((list) => facts[list].length > 0);
  const { down } = facts;
  const isShort = !down || (down.wasClean && down.to - down.from < SHORT_MS);
  if (lists.length === 0 && isShort) return undefined;
  const sections = lists.map((list) => `${texts[list]}\n${renderEntries(facts[list])}`);
  const head = down ? renderDown(down, texts) : texts.back;
  return [head, ...sections].join("\n");
}

const LISTS = [
  "recovered",
  "unreported",
  "interrupted",
  "cutOff",
  "answering",
  "missed",
  "madeUp",
  "waiting",
] as const;

function renderDown(
  { from, to, wasClean }: NonNullable<StartFacts["down"]>,
  { back, wasStopped, wasCut }: Texts["start"],
): string {
  const [start, end] = [toMinute(from), toMinute(to).replace(toMinute(from).slice(0, 11), "")];
  return `${back} ${wasClean ? wasStopped(start, end) : wasCut(start, end)}`;
}

/** 2026-11-21 08:00, in the machine's time zone. */
function toMinute(instant: number): string {
  return new Date(instant).toLocaleString("sv").slice(0, -3);
}

function renderEntries(entries: readonly string[]): string {
  const render = (entry: string) => {
    const line = toVisibleText(entry).replaceAll(/\s+/g, " ").trim();
    return `• ${shorten(line, MOST_CHARS)}`;
  };
  return firstOf(entries, MOST_SHOWN)
    .lines(render, (left) => `• + ${left}`)
    .join("\n");
}
