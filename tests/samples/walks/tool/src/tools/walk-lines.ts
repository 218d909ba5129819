import { resolvePath } from "../workspace/path-guard/path-guard.ts";
import { readTextFile } from "../workspace/read-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { failure, type Tool } from "./tool.ts";

/** `walk_lines`: how long a text file of the workspace is. */
export function createWalkLinesTool(workspace: Workspace): Tool {
  return {
    schema: {
      name: "walk_lines",
      description: "Counts the lines of a text file of the workspace",
      parameters: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
      },
    },
    origin: "workspace",
    leaves: "nothing",
    effect: () => "none",
    async run({ path }) {
      const guarded = resolvePath(workspace, String(path), "read");
      if (!guarded.ok) return failure("denied", guarded.message);
      const file = await readTextFile(guarded);
      if (!file.ok) return failure("not_found", file.message);
      return { ok: true, content: `${file.text.split("\n").length - 1} lines` };
    },
  };
}
