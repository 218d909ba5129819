import { renderLeftOut } from "../../workspace/part.ts";
import { MOST_COUNTED, searchFiles } from "../../workspace/search.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tool } from "../tool.ts";

const MAX_HITS = 50;

/** `search_files`: literal search in the workspace. */
export function createSearchFilesTool(workspace: Workspace): Tool {
  return {
    schema: {
      name: "search_files",
      description: "Finds a literal text in the workspace's files",
      parameters: {
        type: "object",
        properties: { query: { type: "string" }, glob: { type: "string" } },
        required: ["query"],
      },
    },
    origin: "workspace",
    leaves: "nothing",
    effect: () => "none",
    async run({ query: given, glob }, signal, _callId, tell) {
      const query = String(given);
      if (query === "" || /[\r\n]/.test(query)) {
        const error = "query must be a part of one line";
        return { ok: false, error, errorCode: "invalid_args", retryable: false };
      }
      const { items: hits, leftOut } = await searchFiles(workspace, {
        query,
        ...(typeof glob === "string" && glob !== "" && { glob }),
        limit: MAX_HITS,
        isCounted: true,
        signal,
        ...(tell && { tell }),
      });
      const lines = hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text}`);
      const missing = renderLeftOut(leftOut.filter(({ what }) => what !== "hits"));
      if (lines.length === 0) lines.push("No hits.");
      const more = leftOut.find(({ what }) => what === "hits");
      if (more) {
        const all = more.count === undefined ? `more than ${MOST_COUNTED}` : MAX_HITS + more.count;
        lines.push(`… only the first ${MAX_HITS} hits of ${all}: narrow with glob`);
      }
      if (missing !== undefined) lines.push(`… ${missing}`);
      return { ok: true, content: lines.join("\n") };
    },
  };
}
