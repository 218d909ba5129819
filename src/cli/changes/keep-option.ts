import { normalisePath } from "../../core/relative-path.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, usageError } from "../parse.ts";

/** `--keep PATH`, once for each file that checks changed and that is to be part of the change set. */
export const KEEP_OPTION = { keep: { type: "string", multiple: true } } as const;

/**
 * The paths that are to be kept.
 *
 * @throws AppError ERR_USAGE that quotes what is no path of a workspace
 */
export function keptPaths(parsed: Parsed, context: CliContext): readonly string[] {
  return parsed.texts("keep").map((path) => {
    const normal = normalisePath(path);
    if (!normal.ok) throw usageError(normal.message, context);
    return normal.path;
  });
}
