import { listFiles } from "../../workspace/files.ts";
import { isReadableName } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { failure, type Tool } from "../tool.ts";

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
      const found = paths.filter(
        (path) => path.startsWith(prefix) && isReadableName(workspace, path),
      );
      if (found.length === 0) {
        const { didYouMean } = await import("./nearest-paths.ts");
        const near = prefix && (await didYouMean(workspace, prefix.slice(0, -1), "folder", signal));
        const all = near === "" ? "; call list_files without folder to see all" : near;
        return failure("not_found", `no files in "${prefix}"${prefix === "" ? "" : all}`);
      }
      const lines = found.slice(0, MAX_PATHS);
      const left = found.length - lines.length;
      if (left > 0) lines.push(`… ${left} more not shown: name a folder`);
      if (truncated) lines.push("… the workspace has more files than are listed");
      return { ok: true, content: lines.join("\n") };
    },
  };
}

/** "./src/" and "src" as "src/"; the workspace itself as "". */
function toPrefix(folder: string): string {
  const inner = folder.replace(/^(\.?\/)+|\/+$/gu, "");
  return inner === "" || inner === "." ? "" : `${inner}/`;
}
