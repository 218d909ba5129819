import { resolve, sep } from "node:path";
import { expandHome } from "./expand-home.ts";
import { toRealPath } from "./real-path.ts";
import type { Config } from "./schema.ts";
import type { KeyPath } from "./schema-node.ts";
import { validateConfig } from "./validate.ts";
import { isTable, valueAt } from "./value-at.ts";

/** What a file says of a key that only the owner decides. */
export interface OwnersValue {
  /** Entries of arrays by position. */
  readonly path: KeyPath;
  /** The same with entries by name, as people write it. */
  readonly steps: KeyPath;
  readonly value: unknown;
  /** What it decides. */
  readonly why: string;
  /** It has no effect as things stand, such as a provider that nothing selects. */
  readonly isIdle: boolean;
}

/** A key, or a table with all its keys; why; and what anybody may say of it beside the default. */
type Rule = readonly [key: string, why: string, harmless?: readonly unknown[]];

/**
 * What whoever wrote a folder's files must not decide. Everything else, such as language, context
 * and protocol, may come with a checkout.
 */
const RULES: readonly Rule[] = [
  ["default.provider", "who is sent the files and paid for the answers"],
  ["providers", "where requests go, with a key of the environment or of a file"],
  ["reliability.fallback_providers", "the same when the first fails"],
  ["security.autonomy", "what happens without a question", ["readonly"]],
  ["security.allowed_commands", "what runs without a person's own word"],
  ["security.workspace_only", "reads all over the disk"],
  ["security.http_allowed_hosts", "reaches the router and the intranet"],
  ["security.injection_check", "lets hidden orders pass", ["block", "warn"]],
  ["security.sandbox", "runs checks with all rights", ["bwrap"]],
  ["agent.max_tool_iterations", "how long a stranger's text keeps a paid model at work"],
  ["agent.max_failed_rounds", "the same"],
  ["agent.turn_timeout_s", "the same"],
  ["online_research", "searches with the owner's key, where it is sent, and no look in between"],
  ["places", "who learns the places that are asked for"],
  ["mcp.servers", "programs to start, and addresses with tokens"],
  ["transcription", "an endpoint that hears voice messages, with your key"],
  ["telegram", "a stranger's bot and a stranger's right to speak"],
  ["http.host", "who reaches the local API"],
  ["http.token", "a token that a stranger knows"],
  ["undo", "throws away what takes changes back"],
];

/** Where a file stands. */
interface Place {
  readonly baseDir: string;
  readonly userHome: string;
}

/**
 * What a configuration says of the owner's keys. Beside the rules above these are workspaces that
 * lie elsewhere, name commands or open the network, and routines that would run by themselves.
 */
export function findOwnersValues(config: Config, place: Place): readonly OwnersValue[] {
  const { workspaces, routines } = config;
  const folders = workspaces.flatMap((entry, index) =>
    isHarmless(entry, place) ? [] : [toClaim(["workspaces"], index, entry, FOLDER)],
  );
  const lost = new Set(folders.map(({ steps }) => steps.at(-1)));
  const jobs = routines.jobs.flatMap((entry, index) => {
    if (!entry.enabled && !lost.has(entry.workspace)) return [];
    return [toClaim(["routines", "jobs"], index, entry, ROUTINE, !entry.enabled)];
  });
  return [...ruledValues(config), ...folders, ...jobs];
}

const FOLDER = "a folder elsewhere, programs to run in it, or their network";
const ROUTINE = "work that runs by itself";

function ruledValues(config: Config): readonly OwnersValue[] {
  const defaults = defaultConfig();
  return RULES.flatMap(([key, why, harmless = []]) =>
    leavesOf(config, key.split(".")).flatMap((path): readonly OwnersValue[] => {
      const value = valueAt(config, path);
      const isDefault = Bun.deepEquals(value, valueAt(defaults, path));
      if (isDefault || harmless.includes(value)) return [];
      return [{ path, steps: path, value, why, isIdle: isIdle(config, path) }];
    }),
  );
}

/** Puts the defaults in the place of such values, in the configuration itself. */
export function dropOwnersValues(config: Config, values: readonly OwnersValue[]): void {
  const defaults = defaultConfig();
  // From the end, so that positions in arrays hold.
  for (const { path } of values.toReversed()) {
    const table = valueAt(config, path.slice(0, -1));
    const key = path.at(-1);
    if (!isTable(table) || key === undefined) continue;
    const initial = valueAt(defaults, path);
    if (Array.isArray(table)) table.splice(Number(key), 1);
    else if (initial === undefined) delete table[key];
    else table[key] = initial;
  }
}

function defaultConfig(): Config {
  const validation = validateConfig({});
  if (!validation.ok) throw new Error("the built-in defaults are not valid");
  return validation.config;
}

/** The key itself, or each key of a table. */
function leavesOf(config: Config, path: KeyPath): readonly KeyPath[] {
  const value = valueAt(config, path);
  if (!isTable(value) || Array.isArray(value)) return [path];
  return Object.keys(value).map((name) => path.concat(name));
}

function isIdle({ default: selected, reliability }: Config, [table, name]: KeyPath): boolean {
  if (table !== "providers") return false;
  return ![selected.provider, ...reliability.fallback_providers].includes(String(name));
}

/** A folder of the file's own, checked as any folder is. */
function isHarmless(
  { path, check, check_network }: Config["workspaces"][number],
  { baseDir, userHome }: Place,
): boolean {
  const folder = toRealPath(baseDir);
  const root = toRealPath(resolve(baseDir, expandHome(path, userHome)));
  const isInside = root === folder || root.startsWith(folder + sep);
  return isInside && (check === false || check.length === 0) && !check_network;
}

function toClaim(
  table: KeyPath,
  index: number,
  value: { readonly name: string },
  why: string,
  isIdleEntry = false,
): OwnersValue {
  const [path, steps] = [table.concat(index), table.concat(value.name)];
  return { path, steps, value, why, isIdle: isIdleEntry };
}
