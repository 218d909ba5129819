import type { ToolSchema } from "../../providers/provider.ts";
import type { Tool } from "../../tools/tool.ts";
import { createLoader } from "./load-tools.ts";

/** The tools of one turn: everyday ones are offered at once, rare ones by name until asked for. */
export interface Toolbox {
  /** All that do something and whose names a model may be told, as far as it has asked. */
  told(): readonly ToolSchema[];
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
  const { loader, isTold } = createLoader(rare, offer);
  if (rare.length > 0) offer(toName(loader));
  const all = [...tools, ...(rare.length > 0 ? [loader] : [])];
  const byName = new Map(all.map((tool) => [toName(tool), tool]));
  return {
    told: () => tools.filter(isTold).map(({ schema }) => schema),
    find: (name) => byName.get(name),
    offered: () => all.filter((tool) => offered.has(toName(tool))),
    isOffered: (name) => offered.has(name),
    offer,
  };
}

function toName({ schema }: Tool): string {
  return schema.name;
}
