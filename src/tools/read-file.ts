import { readTextFile } from "../workspace/files.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Tool } from "./tool.ts";

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
          start_line: { type: "integer", minimum: 1 },
          end_line: { type: "integer", minimum: 1 },
        },
        required: ["path"],
      },
    },
    effect: "none",
    async run(args) {
      const guarded = resolvePath(workspace, String(args["path"]), "read");
      if (!guarded.ok) {
        return { ok: false, error: guarded.message, errorCode: "denied", retryable: false };
      }
      const file = await readTextFile(guarded.absolute, guarded.path);
      if (!file.ok) {
        const errorCode = file.code === "ERR_NOT_FOUND" ? "not_found" : "invalid_args";
        return { ok: false, error: file.message, errorCode, retryable: false };
      }
      return {
        ok: true,
        content: numberLines(file.text, toLine(args["start_line"]), toLine(args["end_line"])),
      };
    },
  };
}

function toLine(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

function numberLines(text: string, start = 1, end = Number.POSITIVE_INFINITY): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let content = "";
  for (let i = start; i <= Math.min(end, lines.length); i++) {
    const line = `${i}|${lines[i - 1] ?? ""}\n`;
    if (content.length + line.length > MAX_CHARS) {
      return `${content}… lines ${i} to ${lines.length} are left out: read them with start_line`;
    }
    content += line;
  }
  return content === "" ? `(the file has ${lines.length} lines)` : content;
}
