import { toPrintableText, toVisibleText } from "../../../../core/visible-text.ts";
import type { Texts } from "../../../../texts/texts.ts";
import type { AgentEvent } from "../../../channel.ts";
import { createRenderedData } from "../../rendered-data.ts";
import type { ToData } from "../../stream-events.ts";
import { toData } from "../../to-data.ts";

type Document = Readonly<Record<string, unknown>>;

/**
 * What runs, as the documents of its stream, for who looks on: hidden characters are spelled out, as in
 * what is kept, and a diff is read where its question stands. With `isRendered` every text is followed
 * by its blocks, the last one too, which may still grow: what is behind it is not known yet.
 */
export function toRunningDocuments(
  events: readonly AgentEvent[],
  texts: Texts,
  isRendered: boolean,
): readonly Document[] {
  const asIs: ToData = (event) => {
    const documents = toData(event, texts).map(spell);
    return event.kind === "approval" ? documents.slice(-1) : documents;
  };
  if (!isRendered) return events.flatMap(asIs);
  const render = createRenderedData(asIs, NEVER_DUE);
  // Of the same text as the document has: blocks say of how many of its characters they are made.
  return [...events, DONE].map(withSpelledContent).flatMap(render);
}

/** No text is rendered before its end: what there is of it is all there at once. */
const NEVER_DUE = () => -Infinity;
const DONE: AgentEvent = { kind: "done" };

function withSpelledContent(event: AgentEvent): AgentEvent {
  return event.kind === "content" ? { ...event, text: toPrintableText(event.text) } : event;
}

/** Prose keeps what joins its letters; where that stands in anything else, it may hide something. */
function spell(document: Document): Document {
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => {
      const isProse = PROSE.has(key) && typeof value === "string";
      return [key, isProse ? toPrintableText(value) : spellAll(value)];
    }),
  );
}

const PROSE: ReadonlySet<string> = new Set(["content", "error"]);

/** What is in there came as JSON, or is made here: it ends. */
function spellAll(value: unknown): unknown {
  if (typeof value === "string") return toVisibleText(value);
  if (Array.isArray(value)) return value.map(spellAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [toVisibleText(key), spellAll(each)]),
  );
}
