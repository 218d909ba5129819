import { sha256 } from "../../../core/sha256.ts";
import type { Settings } from "../../../store/settings/settings.ts";
import type { Change, ChangeSet } from "../../../transaction/change.ts";
import { sidesOf } from "./since.ts";

/** A change set as a person reads it. */
export interface Looked {
  /** Who looks; what one has seen nobody else has. */
  readonly person: string;
  readonly approvalId: string;
  readonly workspaceRoot: string;
  readonly changeSet: ChangeSet;
}

/** Which files of change sets a person has looked at, by what they were and become. */
export interface SeenFiles {
  /** By path: seen as it is, or seen in a version before this one, when it was another. */
  of(looked: Looked): ReadonlyMap<string, "same" | "changed">;
  /** Whether a file of a question is ticked there, whatever files other versions have. */
  isTicked(person: string, approvalId: string): boolean;
  /** Keeps that one was looked at, or was not; false: there is none of this path. */
  mark(looked: Looked, path: string, isSeen: boolean): boolean;
}

/** A file that goes back to what it was before has been seen. */
const MOST_SIDES = 4;
/** Nobody revises a change set more often. */
export const MOST_VERSIONS = 100;

/** What is kept in the settings of one daemon. */
export function createSeenFiles(settings: () => Settings): SeenFiles {
  /** This question and those that it took the place of. */
  function versionsOf(approvalId: string): ReadonlySet<string> {
    const versions = new Set<string>();
    for (let id: string | undefined = approvalId; id !== undefined && !versions.has(id); ) {
      versions.add(id);
      if (versions.size >= MOST_VERSIONS) break;
      id = settings().of("earlier.").get(id)?.approvalId;
    }
    return versions;
  }

  return {
    of(looked) {
      const versions = versionsOf(looked.approvalId);
      const kept = settings().of("seen.");
      const seen = new Map<string, "same" | "changed">();
      for (const change of looked.changeSet.changes) {
        const row = kept.get(idOf(looked, change.path));
        if (!row) continue;
        if (row.sides.includes(hashOf(change))) seen.set(change.path, "same");
        else if (row.sides.length > 0 && versions.has(row.approvalId))
          seen.set(change.path, "changed");
      }
      return seen;
    },
    isTicked: (person, approvalId) =>
      settings()
        .of("looked.")
        .below(`${approvalId}.`)
        .some(({ value }) => value === person),
    mark(looked, path, isSeen) {
      const { approvalId, changeSet } = looked;
      const change = changeSet.changes.find((each) => each.path === path);
      if (!change) return false;
      const kept = settings().of("seen.");
      const id = idOf(looked, path);
      const own = hashOf(change);
      const row = kept.get(id);
      const others = (row?.sides ?? []).filter((each) => each !== own);
      // By question: the next versions may not have the file, or have it ticked again.
      const ticks = settings().of("looked.");
      if (isSeen) ticks.set(`${approvalId}.${id}`, looked.person);
      else ticks.remove(`${approvalId}.${id}`);
      // What is ticked here does not make them forget which one they looked at before.
      const before = row?.approvalId === approvalId ? row.before : row?.approvalId;
      if (isSeen) {
        const sides = [own, ...others].slice(0, MOST_SIDES);
        kept.set(id, { sides, approvalId, ...(before !== undefined && { before }) });
      } else if (before === undefined && others.length === 0) kept.remove(id);
      // Who takes a tick back has not looked at this one, but at that one they have.
      else if (row?.approvalId === approvalId)
        kept.set(id, { sides: others, approvalId: before ?? approvalId });
      else if (row) kept.set(id, { ...row, sides: others });
      return true;
    },
  };
}

/** Where it is kept: a name of any length is one of few characters. */
function idOf({ person, workspaceRoot }: Looked, path: string): string {
  return short(JSON.stringify([person, workspaceRoot, path]));
}

/** Kind, contents and modes, before and after. */
function hashOf(change: Change): string {
  return short(sidesOf(change));
}

function short(text: string): string {
  return sha256(text).slice(0, 32);
}
