import { realpathSync, statSync } from "node:fs";
import { isAbsolute, parse, resolve, sep } from "node:path";
import { AppError } from "../core/app-error.ts";
import { onceATickEach } from "../core/clock.ts";
import type { UndoLimits, Workspace } from "../workspace/workspace.ts";
import type { GoneFolder, NamedWrongly } from "./gone-folder.ts";
import type { LoadedConfig } from "./load/load.ts";
import { nearestKey } from "./nearest-key.ts";
import { expandHome, toRealPath } from "./paths.ts";
import type { Fault } from "./places/places.ts";
import type { Config } from "./schema/schema.ts";
import { secretReferences } from "./secret.ts";
import { adHocEntry } from "./tighten/tighten.ts";

type Entry = Config["workspaces"][number];

/**
 * The workspace of a configured name or of an existing folder; without either the first
 * configured one. A folder that is configured keeps its configuration however it is named.
 *
 * @throws AppError ERR_WORKSPACE_UNKNOWN that lists the known names
 */
export function resolveWorkspace(
  loaded: LoadedConfig,
  nameOrPath: string | undefined,
  cwd: string,
): Workspace {
  const entries = loaded.config.workspaces;
  const entry =
    nameOrPath === undefined ? entries[0] : entries.find(({ name }) => name === nameOrPath);
  if (entry) {
    const path = entryPath(loaded, entry);
    if (!isFolder(path)) throw gone(loaded, entry.name, path);
    const root = findRoot(loaded, entry.name, path);
    assertUnmoved(loaded, entry, root);
    return { ...toWorkspace(loaded, entry, root), entry: entry.name };
  }
  if (!nameOrPath) throw unknown(loaded);
  const path = resolve(cwd, expandHome(nameOrPath, loaded.userHome));
  const root = findRoot(loaded, nameOrPath, path);
  const owner = entries.find((known) => toRealPath(entryPath(loaded, known)) === root);
  if (owner) return { ...toWorkspace(loaded, owner, root), entry: owner.name };
  return toWorkspace(loaded, adHocEntry(root), root);
}

/**
 * The same for a name that was stored: one that the configuration has no more is no folder that
 * happens to be where papa-yu was started.
 */
export function resolveStored(loaded: LoadedConfig, nameOrRoot: string | undefined): Workspace {
  const isNamed = nameOrRoot !== undefined && !isAbsolute(nameOrRoot);
  if (isNamed && !loaded.config.workspaces.some(({ name }) => name === nameOrRoot)) {
    throw unknown(loaded, `Cannot use the workspace "${nameOrRoot}": it is not configured`);
  }
  return resolveWorkspace(loaded, nameOrRoot, loaded.baseDir);
}

/** What a name that leads to the same folder stands for is not worked out again so soon. */
const STANDS_MS = 1000;

/**
 * {@link resolveStored} for who asks at every message. That a configured folder is there, and where
 * it really is, is looked at in each tick; what else the rules in it are made of, once a second.
 */
export function rememberWorkspaces(
  loaded: LoadedConfig,
): (nameOrRoot: string | undefined) => Workspace {
  const known = new Map<Entry, { readonly workspace: Workspace; readonly at: number }>();
  const { workspaces: entries } = loaded.config;
  const realPathOf = onceATickEach((entry: Entry) => findRealPath(entryPath(loaded, entry)));
  return (name) => {
    const entry = name === undefined ? entries[0] : entries.find((each) => each.name === name);
    if (!entry) return resolveStored(loaded, name);
    const found = known.get(entry);
    const stands =
      found !== undefined &&
      performance.now() - found.at < STANDS_MS &&
      realPathOf(entry) === found.workspace.root;
    if (stands) return found.workspace;
    const workspace = resolveStored(loaded, name);
    known.set(entry, { workspace, at: performance.now() });
    return workspace;
  };
}

/** A folder that a found file brought was looked at when the file was read: it is no link since. */
function assertUnmoved(loaded: LoadedConfig, { name, path }: Entry, root: string): void {
  if (loaded.source.found?.added.includes(name) !== true || root === path) return;
  throw unknown(loaded, `Cannot use the workspace "${name}": "${path}" leads elsewhere now`);
}

function entryPath(loaded: LoadedConfig, { path }: Entry): string {
  return resolve(loaded.baseDir, expandHome(path, loaded.userHome));
}

function toWorkspace(loaded: LoadedConfig, entry: Entry, root: string): Workspace {
  return {
    name: entry.name,
    root,
    check: toCommands(entry.check),
    checkTimeoutMs: entry.check_timeout_s * 1000,
    checkNetwork: entry.check_network,
    checkWhen: entry.check_when,
    keep: entry.keep,
    generate: toCommands(entry.generate),
    generateHosts: entry.generate_hosts,
    onFailingBaseline: entry.on_failing_baseline,
    maxActions: entry.max_actions,
    protectedPaths: [...loaded.config.security.protected_paths, ...ownFiles(loaded, root)],
    homes: { person: loaded.userHome, own: loaded.home },
    undoLimits: toUndoLimits(loaded.config.retention),
  };
}

/** The configuration and the files with its secrets, where they are in the workspace, as globs. */
function ownFiles({ source, config, userHome }: LoadedConfig, root: string): readonly string[] {
  const secrets = secretReferences(config).flatMap(({ reference }) =>
    reference.startsWith("file:") ? [expandHome(reference.slice(5), userHome)] : [],
  );
  const files = [...source.files, ...secrets];
  const inside = [...files, ...files.map(toRealPath)].filter((file) => file.startsWith(root + sep));
  return [...new Set(inside.map((file) => toGlob(file.slice(root.length))))];
}

/** A leading "/" keeps it to this one place. */
function toGlob(path: string): string {
  return path.replaceAll(sep, "/").replaceAll(/[*?[\]{}!\\]/g, "\\$&");
}

/** 0 means no limit. */
function toUndoLimits({ history_days: days, max_mb: mb }: Config["retention"]): UndoLimits {
  return { maxAgeMs: (days || Infinity) * 86_400_000, maxBytes: (mb || Infinity) * 1024 * 1024 };
}

function toCommands(commands: Entry["check"]): Workspace["check"] {
  if (commands === false) return "none";
  return commands.length === 0 ? "detect" : commands;
}

/** The real path of an existing folder that may be a workspace. */
function findRoot(loaded: LoadedConfig, shown: string, path: string): string {
  const action = `Cannot use the workspace "${shown}"`;
  if (!isFolder(path)) {
    const near = shown.includes("/") ? undefined : nearestKey(shown, usable(loaded));
    const guess = near === undefined ? "" : `; did you mean "${near}"?`;
    throw unknown(loaded, `${action}: there is no folder "${path}"${guess}`);
  }
  const root = realpathSync(path);
  const reason = whyNot(root, loaded);
  if (reason) throw unknown(loaded, `${action}: it ${reason}`);
  return root;
}

/** The configured names whose folder is there. */
function usable(loaded: LoadedConfig): readonly string[] {
  const { workspaces } = loaded.config;
  return workspaces.filter((entry) => isFolder(entryPath(loaded, entry))).map(({ name }) => name);
}

/** Empty where nothing is. */
function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "";
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function whyNot(root: string, { home, userHome }: LoadedConfig): string | undefined {
  if (root === parse(root).root) return "is the root of the disk";
  if (root === toRealPath(userHome)) return "is your home folder";
  const daemon = toRealPath(home);
  if (daemon === root || daemon.startsWith(root + sep)) return "holds the daemon's folder";
  return root.startsWith(daemon + sep) ? "lies in the daemon's folder" : undefined;
}

/**
 * What is wrong with the folders of entries: `wrong` ones can never be used, whatever is there; `absent` is
 * where no folder is now. Those of a found file were looked at when it was read.
 */
export function folderFaults(loaded: LoadedConfig): {
  readonly wrong: readonly Fault[];
  readonly absent: readonly Fault[];
} {
  const wrong: Fault[] = [];
  const absent: Fault[] = [];
  for (const [index, entry] of loaded.config.workspaces.entries()) {
    if (loaded.source.found?.added.includes(entry.name) === true) continue;
    const folder = entryPath(loaded, entry);
    const reason = whyNot(toRealPath(folder), loaded);
    const path = ["workspaces", index, "path"];
    if (reason !== undefined) {
      const message = `found "${entry.path}", which ${reason}; allowed: another folder`;
      wrong.push({ path, message });
    } else if (!isFolder(folder)) absent.push({ path, message: `there is no folder "${folder}"` });
  }
  return { wrong, absent };
}

/** A person at a phone has no folder to name: what to type where the folders are. */
const NONE_CONFIGURED = `none is configured; to add one, type on that machine: papayu config set workspaces.NAME '{ path = "FOLDER" }'`;

/** `reason`: what is wrong with the one that was named; without it nothing was. */
function unknown({ config }: LoadedConfig, reason?: string): AppError {
  const names = config.workspaces.map(({ name }) => name);
  const known = names.length === 0 ? NONE_CONFIGURED : `configured: ${names.join(", ")}`;
  const why = reason ?? "Cannot choose a workspace: none is named";
  const message = `${why}; name a folder or a workspace (${known})`;
  const details: NamedWrongly = { known: names, ...(reason !== undefined && { reason }) };
  return new AppError("ERR_WORKSPACE_UNKNOWN", message, { details: { ...details } });
}

/** Names what to mend and where; nobody could do that by another name or from another folder. */
function gone(loaded: LoadedConfig, name: string, path: string): AppError {
  const file = configFileOf(loaded, name);
  const message = `Cannot use the workspace "${name}": there is no folder "${path}"; make the folder, or change its path or remove its entry in "${file}"`;
  const known = loaded.config.workspaces.map((each) => each.name);
  const details = { known, gone: { name, path, file } satisfies GoneFolder };
  return new AppError("ERR_WORKSPACE_UNKNOWN", message, { details });
}

/** The file that has the entry of a workspace. */
export function configFileOf({ source }: LoadedConfig, name: string): string {
  const { path = "config.toml", found } = source;
  return found?.added.includes(name) === true ? found.path : path;
}
