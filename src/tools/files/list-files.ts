import { listFiles } from "../../workspace/files.ts";
import { renderLeftOut, toLeftOut } from "../../workspace/part.ts";
import { classifyName } from "../../workspace/path-guard/path-guard.ts";
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
      const { items, leftOut } = await listFiles(workspace.root, { signal, under: prefix });
      const { lines, left, unusable } = showFirst(workspace, items);
      if (lines.length === 0 && unusable.length === 0) {
        const { didYouMean } = await import("./nearest-paths.ts");
        const near = prefix && (await didYouMean(workspace, prefix.slice(0, -1), "folder", signal));
        const all = near === "" ? "; call list_files without folder to see all" : near;
        return failure("not_found", `no files in "${prefix}"${prefix === "" ? "" : all}`);
      }
      if (left > 0) lines.push(`… ${left} more not shown: name a folder`);
      const missing = renderLeftOut([...leftOut, ...toLeftOut("names", unusable)]);
      if (missing !== undefined) lines.push(`… ${missing}`);
      return { ok: true, content: lines.join("\n") };
    },
  };
}

/** The names of the others are not looked at: protected ones among them count, too. */
function showFirst(workspace: Workspace, paths: readonly string[]) {
  const lines: string[] = [];
  const unusable: string[] = [];
  let looked = 0;
  for (const path of paths) {
    if (lines.length === MAX_PATHS) break;
    looked += 1;
    const kind = classifyName(workspace, path);
    if (kind === "readable") lines.push(path);
    if (kind === "unusable") unusable.push(path);
  }
  return { lines, unusable, left: paths.length - looked };
}

/** "./src/" and "src" as "src/"; the workspace itself as "". */
function toPrefix(folder: string): string {
  const inner = folder.replace(/^(\.?\/)+|\/+$/gu, "");
  return inner === "" || inner === "." ? "" : `${inner}/`;
}
