import { leftOutOf } from "../../transaction/change.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What a person wants for one change set beyond what the configuration says. */
export interface Wanted {
  /** Of its side effects these paths are part of it, or all that were left out. */
  readonly keep?: readonly string[] | "left out";
  /** What makes its lock files may reach these hosts: those that the person was shown. */
  readonly reach?: readonly string[];
}

/** All that people wanted for a change set until now, each once. */
export interface Asked {
  /** Paths that are kept besides those of the workspace's `keep`. */
  readonly kept?: readonly string[];
  /** Hosts that are reached besides those of its `generate_hosts`. */
  readonly reached?: readonly string[];
}

/** What was found before, and what was wanted then. */
type Found = Asked & Parameters<typeof leftOutOf>[0];

/** What was wanted before and is wanted now; undefined where that is nothing more than before. */
export function askedMore(
  known: Found = {},
  { keep = [], reach = [] }: Wanted = {},
): Asked | undefined {
  const { kept = [], reached = [] } = known;
  const paths = union(kept, keep === "left out" ? leftOutOf(known) : keep);
  const hosts = union(reached, reach);
  if (paths.length === kept.length && hosts.length === reached.length) return undefined;
  return {
    ...(paths.length > 0 && { kept: paths }),
    ...(hosts.length > 0 && { reached: hosts }),
  };
}

function union(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].toSorted();
}

/** What was wanted of a change set, and nothing else that is known of it. */
export function askedOf({ kept, reached }: Asked): Asked {
  return { ...(kept && { kept }), ...(reached && { reached }) };
}

/**
 * The workspace whose `keep` and `generate_hosts` have that as well: no path names another by its
 * signs.
 */
export function withAsked(workspace: Workspace, { kept = [], reached = [] }: Asked): Workspace {
  if (kept.length + reached.length === 0) return workspace;
  const globs = kept.map((path) => path.replaceAll(/[*?[\]{}!\\]/gu, "\\$&"));
  return {
    ...workspace,
    keep: [...(workspace.keep ?? []), ...globs],
    generateHosts: [...(workspace.generateHosts ?? []), ...reached],
  };
}

/**
 * What was wanted by its name and came to nothing, a sentence each: whoever asked for it is told. It
 * is compared with what a change set has, and what its commands came to where they ran.
 */
export function listUnmet(
  { keep = [], reach = [] }: Wanted,
  { changes, sideEffects, generation }: Pick<OutcomeView, "changes" | "sideEffects" | "generation">,
): readonly string[] {
  const paths = keep === "left out" ? [] : keep;
  const unkept = paths.filter((path) => !changes.some((change) => change.path === path));
  const hasRun = generation !== undefined && generation.kind !== "skipped";
  const hosts = hasRun ? [] : reach;
  return [
    ...unkept.map((path) => `${path}: not kept, ${whyNotKept(path, sideEffects)}`),
    ...hosts.map((host) => `${host}: not reached, no command that makes lock files ran`),
  ];
}

function whyNotKept(path: string, sideEffects: OutcomeView["sideEffects"]): string {
  if (!sideEffects) return "no command ran in a view, where it could have changed it";
  return sideEffects.some((each) => each.path === path)
    ? "a check failed, or it is protected or too large"
    : "no command changed it";
}
