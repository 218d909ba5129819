import { leftOutOf } from "../../transaction/change.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Verification } from "./verification.ts";

/** What a person wants kept of a change set's side effects: these paths, or all that was left out. */
export type KeepAsked = readonly string[] | "left out";

/** What was found before, and what a person asks to keep beyond it. */
type Found = Pick<Verification, "asked" | "sideEffects" | "generation">;

/** All paths that people asked to keep for a change set, each once. */
export function askedPaths(known: Found | undefined, keep: KeepAsked = []): readonly string[] {
  const more = keep === "left out" ? leftOutOf(known ?? {}) : keep;
  return [...new Set([...(known?.asked ?? []), ...more])].toSorted();
}

/** The workspace whose `keep` names these paths as well, and no other by their signs. */
export function withAsked(workspace: Workspace, asked: readonly string[] = []): Workspace {
  if (asked.length === 0) return workspace;
  const globs = asked.map((path) => path.replaceAll(/[*?[\]{}!\\]/gu, "\\$&"));
  return { ...workspace, keep: [...(workspace.keep ?? []), ...globs] };
}
