import { isErrorCode } from "../core/error-code-prefix.ts";
import { ERROR_CODES } from "../core/error-codes.ts";
import { firstOf } from "../core/few.ts";
import type { Texts } from "../texts/texts.ts";
import type {
  Baseline,
  CheckResult,
  FixNote,
  Generation,
  SideEffect,
} from "../transaction/change.ts";
import type { PlannedCheck, PreviewView } from "../transaction/views.ts";

/** What there is to say of checks beside how they ended. */
export interface Checked {
  readonly check: CheckResult;
  readonly sideEffects?: readonly SideEffect[] | undefined;
  readonly judges?: readonly string[] | undefined;
  readonly fixRounds?: number | undefined;
  readonly fixNotes?: readonly FixNote[] | undefined;
}

/** More names than these are counted. */
const MOST_NAMES = 10;

/**
 * Lines below the checks of a change set: how those that failed end without it, what decides what
 * they look at, what they changed themselves, what was corrected. `show` renders a name of the
 * project's.
 */
export function toCheckedLines(
  { check, sideEffects = [], judges = [], fixRounds = 0, fixNotes = [] }: Checked,
  { checked: texts, failure }: Pick<Texts, "checked" | "failure">,
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
    ...(fixRounds > 0 ? [(check.ok ? texts.corrected : texts.stillFails)(fixRounds)] : []),
    ...fixNotes.map((note) => describeNote(note, { texts: texts.notes, failure }, list)),
  ];
}

/** What only corrections touch, in a line; none where there is nothing. */
export function toFixPathsLines(
  fixPaths: readonly string[] = [],
  { checked }: Pick<Texts, "checked">,
  show: (name: string) => string,
): readonly string[] {
  return fixPaths.length > 0 ? [checked.fixPaths(fixPaths.map(show).join(", "))] : [];
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
      const { command, reason, hosts, moreHosts = 0, closedHosts = [], programs } = generation;
      const more = moreHosts > 0 ? ` ${checked.more(moreHosts)}` : "";
      return [
        texts.failed(show(command), show(reason)),
        ...(hosts.length > 0 ? [texts.hosts(list(hosts) + more)] : []),
        ...(closedHosts.length > 0 ? [texts.closedHosts(list(closedHosts))] : []),
        ...(programs.length > 0 ? [texts.programs(list(programs))] : []),
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
  let more = "";
  const some = firstOf(names, MOST_NAMES).take((left) => {
    more = ` ${texts.more(left)}`;
  });
  return some.map(show).join(", ") + more;
}

/** Checks that were found and never shown, in lines of their own: what they are, and when they run. */
export function toUnseenLines(
  { checks, unseen }: Pick<PreviewView, "checks" | "unseen">,
  { planned }: Pick<Texts, "planned">,
  show: (command: string) => string,
): readonly string[] {
  const list = checks.map((check) => describePlanned(check, planned, show));
  return [planned.found, ...list, unseen === "before" ? planned.runBefore : planned.runAfter];
}

/** A check before it runs: where it comes from, and how long it took the last time. */
export function describePlanned(
  { command, from, tookMs }: PlannedCheck,
  texts: Texts["planned"],
  show: (command: string) => string,
): string {
  const took = tookMs === undefined ? [] : [texts.took((tookMs / 1000).toFixed(1))];
  const known = [...(from === undefined ? [] : [from]), ...took];
  return known.length === 0 ? show(command) : texts.joins.check(show(command), known);
}

/** That checks passed, in one line with what was corrected before; the lines below leave it out. */
export function toPassedLine(
  { fixRounds = 0 }: Pick<Checked, "fixRounds">,
  commands: readonly string[],
  { check, checked }: Pick<Texts, "check" | "checked">,
): string {
  const line = check.passed(commands);
  return fixRounds > 0 ? checked.afterCorrections(line, fixRounds) : line;
}

function describeNote(
  { why, paths = [], code }: FixNote,
  { texts, failure }: { readonly texts: Texts["checked"]["notes"] } & Pick<Texts, "failure">,
  list: (names: readonly string[]) => string,
): string {
  switch (why) {
    case "judges":
      return texts.judges(list(paths));
    case "failed":
      if (!isErrorCode(code)) return texts.failed(list(code === undefined ? [] : [code]));
      return texts.failed(`${failure(code) || ERROR_CODES[code]} (${code})`);
    case "nothing":
    case "unfit":
    case "same":
    case "none":
      return texts[why];
    default:
      return why satisfies never;
  }
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
