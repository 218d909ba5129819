import { renderLeftOut } from "../../workspace/part.ts";
import { MOST_COUNTED, searchFiles } from "../../workspace/search.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, toOneLine } from "./block.ts";

/** Most hits of one search. */
const MOST_HITS = 50;

/** Lines that hold a literal text; ignored and protected files are not looked into. */
export async function searchBlock(
  workspace: Workspace,
  { query, glob }: { readonly query: string; readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Block> {
  const { items: hits, leftOut } = await searchFiles(workspace, {
    query,
    ...(glob !== undefined && { glob }),
    limit: MOST_HITS,
    isCounted: true,
    signal,
  });
  const where = glob === undefined ? "" : ` in ${glob}`;
  const more = leftOut.find(({ what }) => what === "hits");
  const all = more?.count === undefined ? `more than ${MOST_COUNTED}` : hits.length + more.count;
  const count = more ? `the first ${hits.length} of ${all}` : hits.length;
  const missing = renderLeftOut(leftOut.filter(({ what }) => what !== "hits"));
  const lines = hits.map(({ path, line, text }) => `${toOneLine(path)}:${line}|${text}`);
  return {
    kind: "search",
    priority: 1,
    header: toOneLine(`SEARCH[${JSON.stringify(query)}${where}]: ${count} hits`),
    body: [...lines, ...(missing === undefined ? [] : [`… ${toOneLine(missing)}`])].join("\n"),
  };
}
