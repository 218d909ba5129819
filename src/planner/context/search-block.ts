import { searchFiles } from "../../workspace/search.ts";
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
  const hits = await searchFiles(workspace, {
    query,
    ...(glob !== undefined && { glob }),
    limit: MOST_HITS,
    signal,
  });
  const where = glob === undefined ? "" : ` in ${glob}`;
  const count = hits.length === MOST_HITS ? `the first ${MOST_HITS}` : hits.length;
  return {
    kind: "search",
    priority: 1,
    header: toOneLine(`SEARCH[${JSON.stringify(query)}${where}]: ${count} hits`),
    body: hits.map(({ path, line, text }) => `${toOneLine(path)}:${line}|${text}`).join("\n"),
  };
}
