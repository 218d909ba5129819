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
 * something of it; none after it was more than asked. Behind it the one just before, which is the
 * only one of whoever looked at none, or was not asked: without `isTicked`.
 */
export function findBases(
  settings: Settings,
  approvalId: string,
  isTicked: ((approvalId: string) => boolean) | undefined,
): readonly Base[] {
  const first = earlierOf(settings).get(approvalId);
  const looked = isTicked && findLooked(settings, approvalId, isTicked);
  const isOther = first && first.approvalId !== looked?.approvalId;
  return [
    ...(looked ? [{ ...looked, isLooked: true }] : []),
    ...(isOther ? [{ ...first, isLooked: false }] : []),
  ];
}

function findLooked(
  settings: Settings,
  approvalId: string,
  isTicked: (approvalId: string) => boolean,
): Earlier | undefined {
  const all = earlierOf(settings);
  const met = new Set([approvalId]);
  for (let at = all.get(approvalId); at && !met.has(at.approvalId); at = all.get(at.approvalId)) {
    const hasSaid = at.comments !== undefined && at.comments.length > 0;
    if (hasSaid || isTicked(at.approvalId)) return at;
    met.add(at.approvalId);
    if (met.size > MOST_VERSIONS) break;
  }
  return undefined;
}

function earlierOf(settings: Settings) {
  return settings.of("earlier.");
}
