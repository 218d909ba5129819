import type { Routine } from "./routine.ts";

/** How late a run may start and still be on time: one capped sleep and some air. */
const ON_TIME_MS = 90_000;

/** At most so many misfired runs are caught up under "all"; each may cost a model call. */
const MAX_CATCH_UP = 24;

/** Splits the due instants up to `now` (ascending) into those to run and those only recorded. */
export function splitDue(
  dues: readonly number[],
  now: number,
  policy: Routine["misfire"],
): { readonly run: readonly number[]; readonly missed: readonly number[] } {
  const keep = runsToKeep(dues.at(-1), now, policy);
  const cut = Math.max(0, dues.length - keep);
  return { run: dues.slice(cut), missed: dues.slice(0, cut) };
}

function runsToKeep(newest: number | undefined, now: number, policy: Routine["misfire"]): number {
  switch (policy) {
    case "skip":
      return newest !== undefined && now - newest <= ON_TIME_MS ? 1 : 0;
    case "once":
      return 1;
    case "all":
      return MAX_CATCH_UP;
    default:
      return policy satisfies never;
  }
}
