import { listFiles } from "../workspace/files.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Tool } from "./tool.ts";

/** Most paths in one answer. */
const MAX_PATHS = 400;

/** `list_files`: what is in the workspace, ignored and protected files left out. */
export function createListFilesTool(workspace: Workspace): Tool {
  return {
    schema: {
      name: "list_files",
      description: "Lists files of the workspace",
      parameters: {
        type: "object",
        properties: { folder: { type: "string", description: "relative; default: all" } },
      },
    },
    effect: "none",
    async run({ folder }, signal) {
      const prefix = typeof folder === "string" ? folder.replace(/^(\.?\/)+|\/+$/gu, "") : "";
      const { paths } = await listFiles(workspace.root, { signal });
      const inside =
        prefix === "" || prefix === "."
          ? paths
          : paths.filter((path) => path.startsWith(`${prefix}/`));
      if (inside.length === 0) {
        const error = `no files in "${prefix}"; call list_files without folder to see all`;
        return { ok: false, error, errorCode: "not_found", retryable: false };
      }
      const shown = inside
        .filter((path) => resolvePath(workspace, path, "read").ok)
        .slice(0, MAX_PATHS);
      const left = inside.length - shown.length;
      return {
        ok: true,
        content: shown.join("\n") + (left > 0 ? `\n… ${left} more not shown` : ""),
      };
    },
  };
}
