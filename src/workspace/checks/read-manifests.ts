import { readdir } from "node:fs/promises";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { createFindSecretName, resolvePath } from "../path-guard/path-guard.ts";
import { readWholeFile } from "../read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { ChangedManifests } from "./generators.ts";
import { MOST_MANIFEST_BYTES, toPlainText } from "./project.ts";

/** Contents of the files of a change set, by path, as they are after it; undefined: deleted. */
export type FilesAfter = ReadonlyMap<string, Uint8Array | undefined>;

/** What detectors of generators read. */
const READ = ["package.json", "go.mod", "pyproject.toml"];
/** Folders and files that are open at a time. */
const AT_ONCE = 64;

/** The manifests of a change set and what is around them, read once; links are followed nowhere. */
export async function readManifests(
  workspace: Workspace,
  after: FilesAfter,
): Promise<ChangedManifests> {
  const changed = [...after.keys()];
  const folders = foldersOver(changed); // as many as a change set can have
  const names = await askAll(folders, (folder) => listAfter(workspace, folder, after));
  const wanted = folders.flatMap((folder) =>
    READ.filter((name) => names.get(folder)?.has(name)).map((name) =>
      folder === "" ? name : `${folder}/${name}`,
    ),
  );
  const texts = await askAll(wanted, (path) => readAfter(workspace, path, after));
  return {
    changed,
    filesIn: (folder) => names.get(folder) ?? new Set(),
    textOf: (path) => texts.get(path),
  };
}

async function askAll<T>(
  names: readonly string[],
  ask: (name: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const answers = new Map<string, T>();
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const some = names.slice(start, start + AT_ONCE);
    const found = await Promise.all(some.map(async (name) => [name, await ask(name)] as const));
    for (const [name, answer] of found) answers.set(name, answer);
  }
  return answers;
}

/** All folders on the way to the paths, the root first. */
function foldersOver(paths: readonly string[]): readonly string[] {
  const folders = new Set([""]);
  for (const path of paths) {
    const parts = path.split("/").slice(0, -1);
    for (const [index] of parts.entries()) folders.add(parts.slice(0, index + 1).join("/"));
  }
  return [...folders].toSorted((a, b) => a.length - b.length);
}

async function listAfter(
  workspace: Workspace,
  folder: string,
  after: FilesAfter,
): Promise<ReadonlySet<string>> {
  const names = new Set(await listFiles(workspace, folder));
  const prefix = folder === "" ? "" : `${folder}/`;
  for (const [path, bytes] of after) {
    if (!path.startsWith(prefix) || path.slice(prefix.length).includes("/")) continue;
    if (bytes) names.add(path.slice(prefix.length));
    else names.delete(path.slice(prefix.length));
  }
  return names;
}

async function listFiles(workspace: Workspace, folder: string): Promise<readonly string[]> {
  const guarded = folder === "" ? undefined : resolvePath(workspace, folder, "tool");
  if (guarded?.ok === false) return [];
  const entries = await readdir(guarded?.absolute ?? workspace.root, { withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function readAfter(
  workspace: Workspace,
  path: string,
  after: FilesAfter,
): Promise<string | undefined> {
  const bytes = after.get(path) ?? (await readNow(workspace, path));
  const text = bytes && bytes.byteLength <= MOST_MANIFEST_BYTES ? decodeUtf8(bytes) : undefined;
  return text === undefined ? undefined : toPlainText(text);
}

async function readNow(workspace: Workspace, path: string): Promise<Uint8Array | undefined> {
  const guarded = resolvePath(workspace, path, "read", createFindSecretName(workspace));
  if (!guarded.ok || !guarded.stat?.isFile()) return undefined;
  const file = await readWholeFile(guarded, MOST_MANIFEST_BYTES);
  return file.ok ? file.bytes : undefined;
}
