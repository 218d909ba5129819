import type { Change, FileState } from "./change.ts";

const NAMES = [
  [0o4000, "set-user-id", "u+s"],
  [0o2000, "set-group-id", "g+s"],
  [0o1000, "sticky", "+t"],
] as const;

/** The bits of a mode beyond read, write and execute: reported, but never set on any file. */
export function specialOf(mode: number): Pick<FileState, "special"> {
  const special = mode & 0o7000;
  return special === 0 ? {} : { special };
}

/** The files that a change set takes such bits from, a sentence each. */
export function notesOnSpecial(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => {
    if (!("before" in change) || change.before.special === undefined) return [];
    const { bits, command } = describe(change.before.special);
    const { path } = change;
    return change.kind === "update"
      ? [`${path}: loses ${bits}, which papa-yu gives to nothing; ${command} puts it back`]
      : [`${path}: has ${bits}; what brings it back brings it back without`];
  });
}

/** The sentence about a file that was restored without them; `now` is its current mode. */
export function missingSpecial(before: FileState, now: number): string | undefined {
  const missing = (before.special ?? 0) & ~now;
  if (missing === 0) return undefined;
  const { bits, command } = describe(missing);
  return `is back without ${bits}, which papa-yu gives to nothing; ${command} puts it back`;
}

function describe(special: number): { readonly bits: string; readonly command: string } {
  const had = NAMES.filter(([bit]) => (special & bit) !== 0);
  const bits = `its ${had.map(([, name]) => name).join(" and ")} bit`;
  return { bits, command: `chmod ${had.map(([, , flag]) => flag).join(",")}` };
}
