import type { ConfigFile } from "../places/places.ts";
import { wasTrusted } from "../places/places.ts";
import type { KeyPath } from "../schema/schema.ts";
import type { Tightened } from "../tighten/tighten.ts";
import { renderTomlKey } from "../toml/toml.ts";

/** A configuration that was only found in the current folder, and what became of it. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  /** Keys that have a stricter value from it. */
  readonly stricter: readonly string[];
  /** Keys that do not have its value, for want of trust. */
  readonly notTaken: readonly string[];
  /** Names of the workspaces that it brought. */
  readonly added: readonly string[];
  /** It was trusted as it stood before. */
  readonly isChanged: boolean;
}

/** What is told of a found file. */
export function toFoundFile(file: ConfigFile, tightened: Tightened, home: string): FoundFile {
  const { path, shown } = file;
  return {
    path,
    shown,
    stricter: toKeys(tightened.stricter),
    notTaken: toKeys(tightened.notTaken),
    added: tightened.added,
    isChanged: wasTrusted(home, path),
  };
}

function toKeys(paths: readonly KeyPath[]): readonly string[] {
  return [...new Set(paths.map((steps) => renderTomlKey(steps.map(String))))];
}

const MAX_NAMED = 12;

/** One warning that names what was not taken, or that trust has ended. */
export function foundWarnings({ shown, notTaken, isChanged }: FoundFile): readonly string[] {
  const advice = "papayu config trust shows what it would change and asks";
  if (notTaken.length === 0) {
    return isChanged ? [`${shown}: changed since you trusted it; ${advice}`] : [];
  }
  const named = notTaken.slice(0, MAX_NAMED).join(", ");
  const more = notTaken.length > MAX_NAMED ? ` and ${notTaken.length - MAX_NAMED} more` : "";
  const since = isChanged ? "changed since you trusted it; " : "";
  return [
    `${shown}: ${since}not taken from a file that is not trusted: ${named}${more}; ${advice}`,
  ];
}
