import { shorten } from "../../core/cut-text.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readTextFile } from "../../workspace/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { failure, type Tool } from "../tool.ts";

/** Most characters in one answer; the rest is read by lines. */
const MAX_CHARS = 20_000;

/** `read_file`: text with line numbers, through the same guard as every write. */
export function createReadFileTool(workspace: Workspace): Tool {
  return {
    schema: {
      name: "read_file",
      description: "Reads a text file of the workspace with line numbers",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          start_line: { type: "integer", description: "from 1" },
          end_line: { type: "integer" },
        },
        required: ["path"],
      },
    },
    origin: "workspace",
    leaves: "nothing",
    effect: () => "none",
    async run({ path, start_line, end_line }, signal) {
      const guarded = resolvePath(workspace, String(path), "read");
      if (!guarded.ok) return failure("denied", guarded.message);
      const file = await readTextFile(guarded);
      if (!file.ok) {
        if (file.code !== "ERR_NOT_FOUND") return failure("invalid_args", file.message);
        const { didYouMean } = await import("./nearest-paths.ts");
        const near = await didYouMean(workspace, guarded.path, "file", signal);
        return failure("not_found", file.message + near);
      }
      const start = Math.max(1, Number(start_line ?? 1));
      const end = Number(end_line ?? Number.POSITIVE_INFINITY);
      return { ok: true, content: numberLines(file.text, start, end) };
    },
  };
}

function numberLines(text: string, start: number, end: number): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let content = "";
  for (let number = start; number <= Math.min(end, lines.length); number++) {
    const line = `${number}|${lines[number - 1] ?? ""}\n`;
    const room = MAX_CHARS - content.length;
    if (line.length <= room) content += line;
    // A minified file is one line: its beginning is all that can be shown.
    else if (content === "") return `${shorten(line, room)} ${line.length - room} more characters`;
    else return `${content}… lines ${number} to ${lines.length} are left out: use start_line`;
  }
  return content === "" ? `(the file has ${lines.length} lines)` : content;
}
