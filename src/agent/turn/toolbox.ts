import type { ToolSchema } from "../../providers/provider.ts";
import type { Tool, ToolResult } from "../../tools/tool.ts";

/** The tools of one turn: everyday ones are offered at once, rare ones by name until asked for. */
export interface Toolbox {
  /** All that do something, offered or not. */
  readonly all: readonly ToolSchema[];
  /** Finds rare tools too: a model may call one it has not asked for. */
  find(name: string): Tool | undefined;
  /** What the next request offers; the gate shows it. */
  offered(): readonly Tool[];
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
    all: tools.map(({ schema }) => schema),
    find: (name) => byName.get(name),
    offered: () => all.filter((tool) => offered.has(toName(tool))),
    isOffered: (name) => offered.has(name),
    offer,
  };
}

function toName({ schema }: Tool): string {
  return schema.name;
}

/** `load_tools`: makes the schemas of rare tools part of the following requests. */
function createLoader(rare: readonly Tool[], offer: (name: string) => void): Tool {
  const names = new Set(rare.map(toName));
  const list = rare.map(toEntry);
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
      const found = wanted.filter((name) => names.has(name));
      found.forEach(offer);
      const unknown = wanted.filter((name) => !names.has(name));
      const { toUnknown } = await import("./unknown-tool.ts");
      const schemas = rare.map(({ schema }) => schema);
      const problem = unknown.map((name) => toUnknown(name, schemas).error).join("; ");
      if (found.length > 0) {
        const content = `Loaded, call them now: ${found.join(", ")}`;
        return { ok: true, content: problem === "" ? content : `${content}. But ${problem}` };
      }
      const error = problem || "names is empty";
      return { ok: false, error, errorCode: "not_found", retryable: true };
    },
  };
}

/** Of a stranger's tool only the name, which can say nothing: this is in every turn. */
function toEntry({ schema: { name, description }, wordedBy }: Tool): string {
  return wordedBy ? name : `${name} (${firstWords(description)})`;
}

/** Enough to choose by. */
const WORDS_PER_TOOL = 5;

function firstWords(description: string): string {
  return description.split(/\s+/u).slice(0, WORDS_PER_TOOL).join(" ");
}
