import type { Settings } from "../../../store/settings/settings.ts";
import { MOST_VERSIONS } from "./seen.ts";

/** A version before another, and what was said of it. */
export type Earlier = NonNullable<ReturnType<ReturnType<typeof earlierOf>["get"]>>;

/** The version that another one is compared with. */
export interface Base extends Earlier {
  /** The person who asks has looked at it: what is the same since then they know. */
  readonly isLooked: boolean;
}

/**
 * The newest version before a question that a person has looked at: they ticked a file of it, or said
 * something of it; none after it was more than asked. Where they looked at none, the one before.
 */
export function findBase(
  settings: Settings,
  approvalId: string,
  isTicked: (approvalId: string) => boolean,
): Base | undefined {
  const all = earlierOf(settings);
  const first = all.get(approvalId);
  const met = new Set([approvalId]);
  for (let at = first; at && !met.has(at.approvalId); at = all.get(at.approvalId)) {
    const hasSaid = at.comments !== undefined && at.comments.length > 0;
    if (hasSaid || isTicked(at.approvalId)) return { ...at, isLooked: true };
    met.add(at.approvalId);
    if (met.size > MOST_VERSIONS) break;
  }
  return first && { ...first, isLooked: false };
}

function earlierOf(settings: Settings) {
  return settings.of("earlier.");
}
