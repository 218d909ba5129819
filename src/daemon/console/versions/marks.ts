import type { Sign } from "../../../channels/http/http-channel.ts";

/** How often a person marked something of a change set: what they ticked, unticked, or are about to say. */
export interface Marks {
  readonly note: (approvalId: string) => void;
  /** Another one as soon as something of a change set was marked here. */
  readonly signs: () => readonly Sign[];
}

/** Those that are marked at the same time are read in open windows. */
const MOST_SIGNS = 64;

/** Nothing was marked yet. */
export function createMarks(): Marks {
  const counts = new Map<string, number>();
  return {
    note(approvalId) {
      const count = (counts.get(approvalId) ?? 0) + 1;
      counts.delete(approvalId);
      counts.set(approvalId, count);
      for (const [oldest] of counts) if (counts.size > MOST_SIGNS) counts.delete(oldest);
    },
    signs: () =>
      [...counts].map(([name, count]) => ({ kind: "change_set", name, sign: String(count) })),
  };
}
