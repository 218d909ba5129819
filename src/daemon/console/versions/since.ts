import type { Change, ChangeSet } from "../../../transaction/change.ts";
import { diffOf } from "../../../transaction/preview.ts";
import { isWhole } from "../past-change.ts";

/** How the files of a change set differ from those of the one that it took the place of. */
export interface Since {
  /** By path: the change is the same, another, or was not there. */
  readonly files: ReadonlyMap<string, "same" | "changed" | "new">;
  /** By path of those that are another: whether each hunk was there before. */
  readonly hunks: ReadonlyMap<string, readonly boolean[]>;
  /** What the one before changed, and this one does not. */
  readonly gone: readonly string[];
}

/**
 * What is different about a change set since the one before it. A hunk is the same where the one
 * before had one of the same lines, wherever it stood; each of those counts once.
 */
export function sinceOf(before: ChangeSet, now: ChangeSet): Since {
  const old = new Map(before.changes.map((change) => [change.path, change]));
  const files = new Map<string, "same" | "changed" | "new">();
  const hunks = new Map<string, readonly boolean[]>();
  for (const change of now.changes) {
    const was = old.get(change.path);
    const state = was === undefined ? "new" : sidesOf(was) === sidesOf(change) ? "same" : "changed";
    files.set(change.path, state);
    if (was && state === "changed")
      hunks.set(change.path, compareHunks([before, was], [now, change]));
  }
  const gone = before.changes.map(({ path }) => path).filter((path) => !files.has(path));
  return { files, hunks, gone };
}

type Of = readonly [set: ChangeSet, change: Change];

function compareHunks(before: Of, now: Of): readonly boolean[] {
  const left = new Map<string, number>();
  for (const lines of hunksOf(before)) left.set(lines, (left.get(lines) ?? 0) + 1);
  return hunksOf(now).map((lines) => {
    const count = left.get(lines) ?? 0;
    left.set(lines, count - 1);
    return count > 0;
  });
}

function hunksOf([set, change]: Of): readonly string[] {
  if (!isWhole(set, change)) return [];
  return (diffOf(set, change) ?? []).map(({ lines }) => lines.join("\n"));
}

/** What a change makes of what, as a text: kind, contents and modes. */
export function sidesOf(change: Change): string {
  const states = [
    "before" in change ? change.before : undefined,
    "after" in change ? change.after : undefined,
  ];
  return [change.kind, ...states.map((state) => state && `${state.sha256} ${state.mode}`)].join();
}
