import { findInjection, type Screening, suspectInjection } from "../../security/injection.ts";
import { toSortedTools } from "./hash-list.ts";
import type { ListedTool } from "./launch.ts";
import { withoutOrders } from "./without-orders.ts";
import { wordsOfName } from "./words-of-name.ts";

export { hashList } from "./hash-list.ts";

/** A server's list as a model may see it. */
export interface ScreenedList {
  readonly tools: readonly ListedTool[];
  /** The names that a model sees before it asks for any: few and short ones. */
  readonly named: ReadonlySet<string>;
  /** How many are not in it, because their names give orders. */
  readonly leftOut: number;
}

/** Names that are longer, or have more words, are told only to who asks for the list. */
const MOST_CHARS = 40;
const MOST_WORDS = 5;
/** Of one server; with those of others they stand in every request. */
const MOST_NAMED = 12;
/** No order that is looked for is longer than so many names. */
const WINDOW = 16;

/**
 * Looks through a list for orders to the model, in the order of its names: whoever numbers them
 * says a sentence in that order. A tool is left out whose name gives an order, alone or with those
 * next to it: a name cannot be shown without its words. Otherwise see {@link withoutOrders}.
 */
export function screenList(
  server: string,
  listed: readonly ListedTool[],
  screening: Screening,
): ScreenedList {
  const kept = withoutOrdering(server, toSortedTools(listed), screening);
  const tools = kept.map((tool) => withoutOrders(server, tool, screening));
  // Looked at once more: long names may have stood between the words of the short ones.
  const short = kept.filter(({ name }) => isShort(name)).slice(0, MOST_NAMED);
  const named = withoutOrdering(server, short, { ...screening, log: () => {} });
  return {
    tools,
    named: new Set(named.map(({ name }) => name)),
    leftOut: listed.length - kept.length,
  };
}

function isShort(name: string): boolean {
  return name.length <= MOST_CHARS && wordsOfName(name).split(" ").length <= MOST_WORDS;
}

/** The tools but for those whose names give an order together; "review" only has it logged. */
function withoutOrdering(
  server: string,
  tools: readonly ListedTool[],
  screening: Screening,
): readonly ListedTool[] {
  if (screening.check === "off") return tools;
  const ordering = new Set<ListedTool>();
  let window: readonly ListedTool[] = [];
  for (const tool of tools) {
    window = [...window.slice(1 - WINDOW), tool];
    const found = window.slice(orderAt(window));
    if (found.length === 0) continue;
    const said = sayNames(found);
    suspectInjection(said, { server, tool: said }, screening);
    for (const each of found) ordering.add(each);
    window = window.slice(0, -found.length);
  }
  return screening.check === "review" ? tools : tools.filter((tool) => !ordering.has(tool));
}

/** Where the last names that together give an order begin; behind all of them: they give none. */
function orderAt(tools: readonly ListedTool[]): number {
  if (findInjection(sayNames(tools)) === undefined) return tools.length;
  return tools.findLastIndex((_, at) => findInjection(sayNames(tools.slice(at))) !== undefined);
}

/** In one sentence; numbers are only what puts them in order. */
function sayNames(tools: readonly ListedTool[]): string {
  const words = tools.flatMap(({ name }) => wordsOfName(name).split(" "));
  return words.filter((word) => !/^\p{N}+$/u.test(word)).join(" ");
}
