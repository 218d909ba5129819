import type { Failure } from "../core/app-error.ts";
import { listFiles, readTextFile } from "../workspace/files.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { type ProjectProfile, readProfile } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Block, type LineRange, renderFileBlock, renderNote, toOneLine } from "./block.ts";
import { findNamedFiles } from "./named-files.ts";
import { renderTreeBlock } from "./tree-block.ts";

const MANIFESTS = ["package.json", "Cargo.toml", "pyproject.toml", "go.mod"];
/** Most scripts of a manifest that are named. */
const MOST_SCRIPTS = 30;
/** Larger files are generated or data; the search leaves them out as well. */
const MOST_BYTES = 2 * 1024 * 1024;

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
  const named = findNamedFiles(goal, listing.paths);
  const manifests = MANIFESTS.filter(
    (path) => listing.paths.includes(path) && !named.includes(path),
  );
  const files = await Promise.all([
    ...named.map((path) => readFileBlock(workspace, path, 0)),
    ...manifests.map((path) => readFileBlock(workspace, path, 2)),
  ]);
  return [renderEnvBlock(workspace, profile), renderTreeBlock(listing), ...files];
}

/** One file or a range of it as a block, or the reason why it is not shown. */
export async function readFileBlock(
  workspace: Workspace,
  path: string,
  priority: number,
  range: LineRange = {},
): Promise<Block> {
  const guarded = resolvePath(workspace, path, "read");
  if (!guarded.ok) return refuse(workspace, path, guarded);
  if (guarded.stat && guarded.stat.size > MOST_BYTES) return refuse(workspace, path, TOO_LARGE);
  const file = await readTextFile(guarded.absolute, guarded.path);
  if (!file.ok) return refuse(workspace, path, file);
  if (file.text.includes("\0")) return refuse(workspace, path, BINARY);
  return renderFileBlock({ path: guarded.path, ...file }, priority, range);
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
  const reason = message.replaceAll(`${root}/`, "");
  return renderNote(toOneLine(`REFUSED[${path}]: ${code}: ${reason}`));
}

/** The machine and the project in two lines; also the answer to an `env` request. */
export function renderEnvBlock({ name }: Workspace, profile: ProjectProfile): Block {
  const { kind, packageManager } = profile;
  const scripts = Object.keys(profile.scripts).slice(0, MOST_SCRIPTS).join(", ");
  const project = [kind, packageManager, scripts && `scripts: ${scripts}`].filter(Boolean);
  return {
    kind: "env",
    priority: 0,
    header: `ENVIRONMENT: ${process.platform} ${process.arch}, bun ${process.versions.bun}; workspace ${JSON.stringify(name)}`,
    body: toOneLine(`PROJECT: ${project.join(", ")}`),
  };
}

/** sha256 by path of every file that blocks show. */
export function filesSeen(blocks: readonly Block[]): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap(({ path, sha256 }) => (path && sha256 ? [[path, sha256]] : [])),
  );
}
