import { listFiles, readTextFile } from "../workspace/files.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { type ProjectProfile, readProfile } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Block, renderFileBlock } from "./block.ts";

/** Most paths shown in the brief tree. */
const TREE_PATHS = 150;
/** Most files a goal may pull in by naming them. */
const NAMED_FILES = 8;
const MANIFESTS = ["package.json", "Cargo.toml", "pyproject.toml", "go.mod"];

/** What every plan starts from: environment, tree in brief, files the goal names, the manifest. */
export async function gatherContext(
  workspace: Workspace,
  goal: string,
  signal: AbortSignal,
): Promise<readonly Block[]> {
  const [profile, listing] = await Promise.all([
    readProfile(workspace.root),
    listFiles(workspace.root, { signal }),
  ]);
  const named = namedFiles(goal, listing.paths);
  const manifests = MANIFESTS.filter((path) => listing.paths.includes(path));
  const files = [
    ...named.map((path) => fileBlock(workspace, path, 0)),
    ...manifests
      .filter((path) => !named.includes(path))
      .map((path) => fileBlock(workspace, path, 2)),
  ];
  return [envBlock(workspace, profile), treeBlock(listing), ...(await Promise.all(files))];
}

/** One file as a block, or the reason why it is not shown. */
export async function fileBlock(
  workspace: Workspace,
  path: string,
  priority: number,
  range: { readonly startLine?: number; readonly endLine?: number } = {},
): Promise<Block> {
  const guarded = resolvePath(workspace, path, "read");
  if (!guarded.ok) return refusal(path, guarded.code, guarded.message);
  const file = await readTextFile(guarded.absolute, guarded.path);
  if (!file.ok) return refusal(path, file.code, file.message);
  return renderFileBlock({ path: guarded.path, ...file }, priority, range);
}

/** Files whose path, or base name when only one file has it, stands in the goal. */
export function namedFiles(goal: string, paths: readonly string[]): readonly string[] {
  const words = new Set(
    goal.split(/[\s"'`,;:()[\]{}<>«»]+/u).map((word) => word.replace(/[.!?]+$/u, "")),
  );
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (words.has(name)) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const unique = [...byName.values()].filter((found) => found.length === 1).flat();
  const full = paths.filter((path) => words.has(path) || words.has(`./${path}`));
  return [...new Set([...full, ...unique])].slice(0, NAMED_FILES);
}

/** sha256 by path of every file that blocks show. */
export function filesSeen(blocks: readonly Block[]): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const { path, sha256 } of blocks) if (path && sha256) seen[path] = sha256;
  return seen;
}

function refusal(path: string, code: string, message: string): Block {
  return {
    kind: "refusal",
    priority: 0,
    header: `REFUSED[${path}]: ${code}: ${message}`,
    body: "",
  };
}

/** The machine in two lines; also the answer to an `env` request. */
export function envBlock(workspace: Workspace, profile: ProjectProfile): Block {
  const scripts = Object.keys(profile.scripts).slice(0, 30).join(", ");
  return {
    kind: "env",
    priority: 0,
    header: `ENVIRONMENT: ${process.platform} ${process.arch}, bun ${process.versions.bun}; workspace "${workspace.name}"`,
    body: `PROJECT: ${profile.kind}${profile.packageManager ? `, ${profile.packageManager}` : ""}${scripts ? `, scripts: ${scripts}` : ""}`,
  };
}

function treeBlock(listing: {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}): Block {
  const shown = listing.paths.slice(0, TREE_PATHS);
  const left = listing.paths.length - shown.length;
  const more =
    left > 0 || listing.truncated ? [`… and ${left}${listing.truncated ? "+" : ""} more`] : [];
  return {
    kind: "tree",
    priority: 0,
    header: `FILES (${listing.paths.length}${listing.truncated ? "+" : ""}):`,
    body: [...shown, ...more].join("\n"),
  };
}
