import type { AgentEvent } from "../channel.ts";
import { type MarkdownNode, toBlocks } from "./markdown-tree.ts";
import type { ToData } from "./stream-events.ts";

/** Blocks are sent so often at most: what came since stands behind them as it is. */
const RENDER_MS = 100;
/** A longer answer is rendered once more where it pauses or ends, not at each of its pieces. */
const MOST_LIVE_CHARS = 100_000;

/**
 * Documents for who draws an answer and reads no Markdown: behind its pieces come its blocks, those
 * that are others by now, with how much of the text they are made of. Other texts are marked as they
 * are: no Markdown.
 */
export function createRenderedData(toData: ToData, now: () => number): ToData {
  let text = "";
  let sent: readonly string[] = [];
  let covered = 0;
  let renderedAt = -Infinity;

  /** Ends the text: what comes next is another. */
  function end(): readonly Readonly<Record<string, unknown>>[] {
    const last = text.length > covered ? [render()] : [];
    text = "";
    sent = [];
    covered = 0;
    return last;
  }

  function render(): Readonly<Record<string, unknown>> {
    const blocks = toBlocks(text);
    const next = blocks.map((block) => JSON.stringify(block));
    const differs = next.findIndex((block, at) => block !== sent[at]);
    const from = differs < 0 ? Math.min(next.length, sent.length) : differs;
    sent = next;
    covered = text.length;
    renderedAt = now();
    const changed: readonly MarkdownNode[] = blocks.slice(from);
    return { rendered: { chars: covered, from, blocks: changed } };
  }

  return (event) => {
    if (PASSING.has(event.kind)) return toData(event);
    if (event.kind !== "content") {
      const documents = toData(event).map(asVerbatim);
      return [...end(), ...documents];
    }
    text += event.text;
    const isDue = text.length < MOST_LIVE_CHARS && now() - renderedAt >= RENDER_MS;
    return [...toData(event), ...(isDue ? [render()] : [])];
  };
}

/** What ends no text: it is there for the moment. */
const PASSING: ReadonlySet<AgentEvent["kind"]> = new Set(["progress", "check_output", "counted"]);

function asVerbatim(document: Readonly<Record<string, unknown>>) {
  return "content" in document ? Object.assign({}, document, { verbatim: true }) : document;
}
