import type { Failure } from "../../core/app-error.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readTextFile } from "../../workspace/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, renderNote } from "./block.ts";

/** Lines of a file, from 1; without an end to its last one. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine?: number;
}

const WHOLE: readonly LineRange[] = [{ startLine: 1 }];

/** Larger files are generated or data; the search leaves them out as well. */
const MOST_BYTES = 2 * 1024 * 1024;

/** A file or some ranges of it as a block, or the reason why it is not shown. */
export async function readFileBlock(
  workspace: Workspace,
  path: string,
  priority: number,
  ranges: readonly LineRange[] = WHOLE,
): Promise<Block> {
  const guarded = resolvePath(workspace, path, "read");
  if (!guarded.ok) return refuse(workspace, path, guarded);
  if (guarded.stat && guarded.stat.size > MOST_BYTES) return refuse(workspace, path, TOO_LARGE);
  const file = await readTextFile(guarded);
  if (!file.ok) return refuse(workspace, path, file);
  if (file.text.includes("\0")) return refuse(workspace, path, BINARY);
  return renderFileBlock({ path: guarded.path, ...file }, priority, ranges);
}

const TOO_LARGE: Omit<Failure, "ok"> = {
  code: "too_large",
  message: "it is over 2 MiB; leave it alone",
};
const BINARY: Omit<Failure, "ok"> = {
  code: "ERR_NON_UTF8_FILE",
  message: "it is binary; leave it alone",
};

/** The disk's own words name the folder; a model has no need to know where that lies. */
function refuse({ root }: Workspace, path: string, { code, message }: Omit<Failure, "ok">): Block {
  return renderNote(`REFUSED[${path}]: ${code}: ${message.replaceAll(`${root}/`, "")}`);
}

/** A file, or ranges of it, with its header and numbered lines. */
export function renderFileBlock(
  file: { readonly path: string; readonly text: string; readonly sha256: string },
  priority: number,
  ranges: readonly LineRange[] = WHOLE,
): Block {
  const lines = file.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const [first, second] = mergeRanges(ranges);
  const isWhole = first?.startLine === 1 && (first.endLine ?? Infinity) >= lines.length && !second;
  return {
    kind: "file",
    priority,
    header: `FILE[${toShownPath(file.path)}] (sha256=${file.sha256}):`,
    body: renderRanges(lines, mergeRanges(ranges)).join("\n"),
    path: file.path,
    sha256: file.sha256,
    isWhole,
  };
}

/** A path that could pass for the end of its header, and a sha256 of its own, is quoted. */
function toShownPath(path: string): string {
  return path.includes("] (") ? JSON.stringify(path) : path;
}

function renderRanges(lines: readonly string[], ranges: readonly LineRange[]): readonly string[] {
  const rows: string[] = [];
  for (const { startLine, endLine } of ranges) {
    if (rows.length > 0) rows.push("…");
    for (const [index, line] of lines.slice(startLine - 1, endLine).entries()) {
      rows.push(`${startLine + index}|${line.endsWith("\r") ? line.slice(0, -1) : line}`);
    }
  }
  const { startLine = 1, endLine = Infinity } = ranges.at(-1) ?? {};
  const last = lines.length;
  if (startLine > last && last > 0) rows.push(`… the file ends at line ${last} …`);
  if (endLine < last) rows.push(`… the file goes on to line ${last} …`);
  return rows;
}

/** Sorted, and those that overlap or touch as one. */
function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.startLine - b.startLine)) {
    const last = merged.at(-1);
    const lastEnd = last?.endLine ?? Infinity;
    if (!last || range.startLine > lastEnd + 1) merged.push(range);
    else if (last.endLine !== undefined) {
      merged[merged.length - 1] = join(
        last.startLine,
        Math.max(lastEnd, range.endLine ?? Infinity),
      );
    }
  }
  return merged;
}

function join(startLine: number, endLine: number): LineRange {
  return endLine === Infinity ? { startLine } : { startLine, endLine };
}
