import { statSync } from "node:fs";
import { sha256 } from "../core/sha256.ts";
import type { Tool, ToolArguments } from "../tools/tool.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A call as a person is asked about it. */
export interface AskedCall {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly argsJson: string;
  /** What is shown of it. */
  readonly shown: string;
  /** Over the tool, the exact arguments, what is shown, and the files that the arguments name. */
  readonly callSha256: string;
}

/** Binds a call to its content: with another argument, or another script on disk, it is another. */
export async function toAskedCall(
  tool: Tool,
  args: ToolArguments,
  workspace: Workspace,
): Promise<AskedCall> {
  const { name } = tool.schema;
  const argsJson = JSON.stringify(args);
  const shown = tool.describe?.(args) ?? `${name} ${JSON.stringify(args, null, 2)}`;
  const files = await hashNamedFiles(args, workspace);
  const callSha256 = sha256(JSON.stringify([name, argsJson, shown, files]));
  return { tool: name, args, argsJson, shown, callSha256 };
}

/** Words of arguments that are looked at as paths; a call with more of them names no script. */
const MAX_WORDS = 1000;
/** A larger file is known by its size and time alone. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

async function hashNamedFiles(
  args: ToolArguments,
  workspace: Workspace,
): Promise<readonly string[]> {
  const texts = textsIn(args);
  const words = new Set([...texts, ...texts.flatMap((text) => text.split(/[\s=,;:'"]+/u))]);
  const hashes: string[] = [];
  for (const word of [...words].slice(0, MAX_WORDS)) {
    const hash = await hashFile(word, workspace);
    if (hash !== undefined) hashes.push(`${word} ${hash}`);
  }
  return hashes;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function hashFile(word: string, workspace: Workspace): Promise<string | undefined> {
  const own = `${workspace.root}/`;
  const path = word.startsWith(own) ? word.slice(own.length) : word;
  const guarded = resolvePath(workspace, path, "read");
  if (!guarded.ok) return undefined;
  try {
    const { size, mtimeMs } = statSync(guarded.absolute);
    if (size > MAX_HASHED_BYTES) return `${size} ${mtimeMs}`;
    return sha256(await Bun.file(guarded.absolute).bytes());
  } catch {
    return undefined; // no file, or one that nobody can read: no script
  }
}
