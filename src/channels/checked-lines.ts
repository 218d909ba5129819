import type { Texts } from "../texts/texts.ts";
import type { Baseline, CheckResult, Generation, SideEffect } from "../transaction/change.ts";

/** What there is to say of checks beside how they ended. */
export interface Checked {
  readonly check: CheckResult;
  readonly sideEffects?: readonly SideEffect[] | undefined;
  readonly judges?: readonly string[] | undefined;
  readonly fixRounds?: number | undefined;
}

/** More names than these are counted. */
const MOST_NAMES = 10;

/**
 * Lines below the checks of a change set: how those that failed end without it, what decides what
 * they look at, what they changed themselves. `show` renders a name of the project's.
 */
export function toCheckedLines(
  { check, sideEffects = [], judges = [], fixRounds = 0 }: Checked,
  { checked: texts }: Pick<Texts, "checked">,
  show: (name: string) => string,
): readonly string[] {
  const list = (names: readonly string[]) => listOf(names, texts, show);
  const files = sideEffects.filter(({ kind }) => kind !== "mkdir" && kind !== "rmdir");
  const pathsOf = (kept: boolean) =>
    files.filter((each) => each.kept === kept).map(({ path }) => path);
  const [kept, left] = [pathsOf(true), pathsOf(false)];
  return [
    ...(check.baseline ? describeBaseline(check.baseline, texts, list) : []),
    ...(judges.length > 0 ? [texts.judges(list(judges))] : []),
    ...(kept.length > 0 ? [texts.kept(list(kept))] : []),
    ...(left.length > 0 ? [texts.leftOut(left.length, list(left))] : []),
    ...(fixRounds > 0 ? [texts.corrected(fixRounds)] : []),
  ];
}

/** Lines on the lock files of a change set. `show` renders a name or a word of the project's. */
export function toGenerationLines(
  generation: Generation | undefined,
  { generated: texts, checked }: Pick<Texts, "generated" | "checked">,
  show: (name: string) => string,
): readonly string[] {
  const list = (names: readonly string[]) => listOf(names, checked, show);
  switch (generation?.kind) {
    case undefined:
      return [];
    case "made": {
      const { paths, commands, leftOut } = generation;
      const left = leftOut.map(({ path }) => path);
      return [
        ...(paths.length > 0 ? [texts.made(list(paths), list(commands))] : []),
        ...(left.length > 0 ? [texts.leftOut(list(left))] : []),
      ];
    }
    case "failed": {
      const { command, reason, hosts } = generation;
      return [
        texts.failed(show(command), show(reason)),
        ...(hosts.length > 0 ? [texts.hosts(list(hosts))] : []),
      ];
    }
    case "skipped":
      return [texts.skipped(list(generation.commands))];
    default:
      return generation satisfies undefined;
  }
}

function listOf(
  names: readonly string[],
  texts: Texts["checked"],
  show: (name: string) => string,
): string {
  const shown = names.slice(0, MOST_NAMES).map(show).join(", ");
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${shown} ${texts.more(rest)}` : shown;
}

function describeBaseline(
  { ok, isSame, before, added }: Baseline,
  texts: Texts["checked"],
  list: (names: readonly string[]) => string,
): readonly string[] {
  if (ok) return [texts.passesWithout];
  if (isSame && before.length === 0) return [texts.failsWithout];
  return [
    ...(before.length > 0 ? [texts.failsWithoutIn(list(before))] : []),
    ...(added.length > 0 ? [texts.failsOnlyWith(list(added))] : []),
  ];
}
