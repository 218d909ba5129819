import type { Config } from "../schema/schema.ts";
import { CONFIG_SCHEMA, type KeyPath } from "../schema/schema.ts";
import { valueAt } from "../value-at.ts";
import { type FolderPlace, tightenFolders } from "./tighten-folders.ts";
import { type TightenNotes, tightenKeys } from "./tighten-keys.ts";

export { adHocEntry } from "./ad-hoc-entry.ts";

/** What a found file did to the owner's configuration, and what it could not. */
export interface Tightened extends TightenNotes {
  readonly config: Config;
  /** Names of the workspaces that the file brought. */
  readonly added: readonly string[];
}

/** A file that was found, and where things are. */
export interface FoundValues {
  /** What it says, and nothing else. */
  readonly said: unknown;
  /** The same with every default filled in. */
  readonly whole: Config;
  readonly place: FolderPlace;
}

/**
 * The owner's configuration, made stricter by a file that was only found, key by key: each key by
 * the order on its node of the schema, and one without an order is not taken.
 */
export function tighten(owner: Config, { said, whole, place }: FoundValues): Tightened {
  const config = structuredClone(owner);
  const keys = tightenKeys({ node: CONFIG_SCHEMA, own: config, said, found: whole }, []);
  const entries = { said: valueAt(said, ["workspaces"]), entries: whole.workspaces };
  const folders = tightenFolders(config, entries, place);
  return {
    config: { ...config, workspaces: [...folders.entries] },
    stricter: [...keys.stricter, ...folders.stricter],
    notTaken: [...keys.notTaken, ...folders.notTaken].filter((path) => !isIdle(whole, path)),
    added: folders.added,
  };
}

/** What would do nothing even in a trusted file is not worth a warning. */
function isIdle({ default: selected, reliability, mcp, routines }: Config, path: KeyPath): boolean {
  const [table, name, third] = path.map(String);
  if (table === "providers") {
    return ![selected.provider, ...reliability.fallback_providers].includes(name ?? "");
  }
  if (table === "mcp") return mcp.servers[third ?? ""]?.enabled === false;
  const job = routines.jobs.find((each) => each.name === third);
  return table === "routines" && job?.enabled === false;
}
