import { normalisePath } from "../core/relative-path.ts";
import { listFiles } from "../workspace/files.ts";
import { isProtectedPath } from "../workspace/path-guard/path-guard.ts";
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
    origin: "workspace",
    leaves: "nothing",
    effect: () => "none",
    async run({ folder }, signal) {
      const prefix = toPrefix(typeof folder === "string" ? folder : "");
      const { paths, truncated } = await listFiles(workspace.root, { signal });
      const found = paths.filter((path) => path.startsWith(prefix) && isReadable(workspace, path));
      if (found.length === 0) {
        const error = `no files in "${prefix}"; call list_files without folder to see all`;
        return { ok: false, error, errorCode: "not_found", retryable: false };
      }
      const lines = found.slice(0, MAX_PATHS);
      const left = found.length - lines.length;
      if (left > 0) lines.push(`… ${left} more not shown: name a folder`);
      if (truncated) lines.push("… the workspace has more files than are listed");
      return { ok: true, content: lines.join("\n") };
    },
  };
}

/** By its name alone: a listing follows no links, and asking the disk for each path is slow. */
function isReadable({ protectedPaths }: Workspace, path: string): boolean {
  return normalisePath(path).ok && !isProtectedPath(path, protectedPaths, "read");
}

/** "./src/" and "src" as "src/"; the workspace itself as "". */
function toPrefix(folder: string): string {
  const inner = folder.replace(/^(\.?\/)+|\/+$/gu, "");
  return inner === "" || inner === "." ? "" : `${inner}/`;
}
