import { nearestKey } from "../../config/nearest-key.ts";
import { shorten } from "../../core/cut-text.ts";
import type { ToolSchema } from "../../providers/provider.ts";
import type { Tool, ToolResult } from "../../tools/tool.ts";

/** The tools of one turn: everyday ones are offered at once, rare ones by name until asked for. */
export interface Toolbox {
  readonly names: readonly string[];
  /** Finds rare tools too: a model may call one it has not asked for. */
  find(name: string): Tool | undefined;
  /** What the next request offers. */
  schemas(): readonly ToolSchema[];
  isOffered(name: string): boolean;
  /** Offers a rare tool from the next request on. */
  offer(name: string): void;
}

/** A toolbox; with rare tools in it, it has one tool more, which loads them. */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const rare = tools.filter(({ isRare }) => isRare);
  const offered = new Set(tools.filter((tool) => !rare.includes(tool)).map(toName));
  const offer = (name: string) => void offered.add(name);
  const loader = createLoader(rare, offer);
  if (rare.length > 0) offer(toName(loader));
  const all = [...tools, ...(rare.length > 0 ? [loader] : [])];
  const byName = new Map(all.map((tool) => [toName(tool), tool]));
  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name),
    schemas: () => all.filter((tool) => offered.has(toName(tool))).map(({ schema }) => schema),
    isOffered: (name) => offered.has(name),
    offer,
  };
}

function toName({ schema }: Tool): string {
  return schema.name;
}

/** `load_tools`: makes the schemas of rare tools part of the following requests. */
function createLoader(rare: readonly Tool[], offer: (name: string) => void): Tool {
  const names = rare.map(toName);
  const list = rare.map(({ schema }) => `${schema.name} (${firstWords(schema.description)})`);
  return {
    schema: {
      name: "load_tools",
      description: `Loads more tools by name, several at once: ${list.join(", ")}`,
      parameters: {
        type: "object",
        properties: { names: { type: "array", items: { type: "string" } } },
        required: ["names"],
      },
    },
    origin: "own",
    leaves: "nothing",
    effect: () => "none",
    async run(args): Promise<ToolResult> {
      const wanted = Array.isArray(args["names"]) ? args["names"].map(String) : [];
      const found = wanted.filter((name) => names.includes(name));
      found.forEach(offer);
      const unknown = wanted.filter((name) => !names.includes(name));
      const problem = unknown.map((name) => describeUnknown(name, names)).join("; ");
      if (found.length > 0) {
        const content = `Loaded, call them now: ${found.join(", ")}`;
        return { ok: true, content: problem === "" ? content : `${content}. But ${problem}` };
      }
      const error = problem || "names is empty";
      return { ok: false, error, errorCode: "not_found", retryable: true };
    },
  };
}

/** Enough to choose by. */
const WORDS_PER_TOOL = 5;

function firstWords(description: string): string {
  return description.split(/\s+/u).slice(0, WORDS_PER_TOOL).join(" ");
}

/** For a model that made a name up. */
export function describeUnknown(name: string, names: readonly string[]): string {
  const near = nearestKey(name, names);
  const guess = near === undefined ? "" : `; did you mean "${near}"`;
  return `there is no tool "${shorten(name, 64)}"; there are: ${names.join(", ")}${guess}`;
}
