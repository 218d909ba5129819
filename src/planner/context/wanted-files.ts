import type { Workspace } from "../../workspace/workspace.ts";
import type { Block } from "./block.ts";
import type { PartLimits, WantedFile } from "./cut-parts.ts";
import { readFileBlock } from "./file-block.ts";
import { type ContextLimits, totalChars } from "./fit-context.ts";

/** Files that are read at once to see how long they are. */
const AT_ONCE = 32;

/** Those of the files that may be shown, with what each takes when it is shown whole. */
export async function measureFiles(
  workspace: Workspace,
  paths: readonly string[],
): Promise<readonly WantedFile[]> {
  const files: WantedFile[] = [];
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const batch = paths.slice(start, start + AT_ONCE);
    const blocks = await Promise.all(batch.map((path) => readFileBlock(workspace, path, 0)));
    for (const block of blocks) {
      if (block.path !== undefined) files.push({ path: block.path, chars: totalChars([block]) });
    }
  }
  return files;
}

/** The files that a goal names or that a model asked for. */
export function wantedIn(blocks: readonly Block[]): readonly string[] {
  const files = blocks.filter(({ kind, priority }) => kind === "file" && priority === 0);
  return [...new Set(files.flatMap(({ path }) => (path === undefined ? [] : [path])))];
}

/** What a part is shown besides its files: style, the plan, what the parts before came to. */
const BESIDE_CHARS = 24_000;

/** What one part of a plan holds: files that an answer may change, and that can be shown whole. */
export function partLimits(
  { maxFiles, maxTotalChars }: ContextLimits,
  maxActions: number,
): PartLimits {
  return {
    maxFiles: Math.max(1, Math.min(maxFiles, maxActions)),
    maxChars: Math.max(maxTotalChars / 2, maxTotalChars - BESIDE_CHARS),
  };
}

/** Whether one request can show all of them, and one answer change them. */
export function fitsOnePart(
  files: readonly WantedFile[],
  { maxFiles, maxChars }: PartLimits,
): boolean {
  return files.length <= maxFiles && files.reduce((sum, { chars }) => sum + chars, 0) <= maxChars;
}
