import { realpathSync } from "node:fs";
import type { LoadedConfig } from "../../config/load/load.ts";
import { expandHome } from "../../config/paths.ts";
import { secretReferences } from "../../config/secret.ts";

/**
 * The daemon's folder, its configuration, and the files its secrets are read from: no check and
 * no command may see them.
 */
export function ownFiles({ home, source, config, userHome }: LoadedConfig): readonly string[] {
  const secrets = secretReferences(config).flatMap(({ reference }) =>
    reference.startsWith("file:") ? [expandHome(reference.slice(5), userHome)] : [],
  );
  const files = [home, ...source.files, ...secrets];
  return [...new Set([...files, ...files.map(realPath)])];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet
  }
}
