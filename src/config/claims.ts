import { dirname } from "node:path";
import { findOwnersValues, type OwnersValue } from "./owners-values.ts";
import type { Config } from "./schema.ts";
import { isTrusted } from "./trust.ts";

/** What a file says of the owner's keys, and whether it may. */
export interface Claims {
  readonly values: readonly OwnersValue[];
  readonly isTrusted: boolean;
}

/** Where a configuration file was found. */
export type Origin =
  /** Named by `--config`. */
  | "argument"
  /** Named by $PAPAYU_CONFIG. */
  | "variable"
  /** Come across in the current folder: whoever wrote that folder's files wrote it, too. */
  | "folder"
  /** In the daemon's folder. */
  | "home";

/**
 * Judges what a file says, before anything is laid over it. Only one that was come across needs
 * trust.
 */
export function readClaims(
  config: Config,
  { path, origin }: { readonly path: string; readonly origin: Origin },
  { home, userHome }: { readonly home: string; readonly userHome: string },
): Claims {
  if (origin !== "folder") return { values: [], isTrusted: true };
  const values = findOwnersValues(config, { baseDir: dirname(path), userHome });
  return { values, isTrusted: isTrusted(home, path, values) };
}
