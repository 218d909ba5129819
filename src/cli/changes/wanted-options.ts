import { normalisePath } from "../../core/relative-path.ts";
import type { Wanted } from "../../planner/operations.ts";
import { isOneHost } from "../../workspace/workspace.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, usageError } from "../parse.ts";

/**
 * `--keep PATH`, once for each file that checks changed and that is to be part of the change set;
 * `--reach HOST`, once for each host that what makes its lock files may reach.
 */
export const WANTED_OPTIONS = {
  keep: { type: "string", multiple: true },
  reach: { type: "string", multiple: true },
} as const;

/**
 * What is wanted for one change set beyond the configuration.
 *
 * @throws AppError ERR_USAGE that quotes what is no path of a workspace, or no name of a host
 */
export function wantedIn(parsed: Parsed, context: CliContext): Wanted {
  const keep = parsed.texts("keep").map((path) => {
    const normal = normalisePath(path);
    if (!normal.ok) throw usageError(normal.message, context);
    return normal.path;
  });
  const reach = parsed.texts("reach").map((host) => {
    if (isOneHost(host)) return host.toLowerCase();
    const problem = `"${host}" is no name of a host; give one such as packages.example.com`;
    throw usageError(problem, context);
  });
  return { keep, reach };
}
