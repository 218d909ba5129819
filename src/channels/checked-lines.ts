import type { Texts } from "../texts/texts.ts";
import type { Baseline, CheckResult, SideEffect } from "../transaction/change.ts";

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
  const list = (names: readonly string[]) => {
    const shown = names.slice(0, MOST_NAMES).map(show).join(", ");
    const rest = names.length - MOST_NAMES;
    return rest > 0 ? `${shown} ${texts.more(rest)}` : shown;
  };
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
