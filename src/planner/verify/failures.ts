import type { CheckResult, CheckStage } from "../../transaction/change.ts";

/** Lines in which runners name a test that failed; the first group is its name. */
const NAMES_A_FAILED_TEST: readonly RegExp[] = [
  /^\(fail\) (.+)$/u, // bun
  /^not ok \d+ -? ?(.+)$/u, // TAP
  /^FAILED (\S+::\S.*)$/u, // pytest
  /^(?:FAIL|ERROR): (\w+ \([\w.]+\))$/u, // unittest
  /^test (\S+) \.\.\. FAILED$/u, // cargo
  /^--- FAIL: (\S+)/u, // go
  /^[✖✗×] (.+)$/u, // node, vitest
  /^● (.+)$/u, // jest
  /^FAIL\s+(\S.*)$/u, // vitest, jest
];

/** What a runner adds to a name and is another every time: how long it took. Blanks are tried once, not from each. */
const TOOK = /(?<!\s)\s+(?:[[(]\d+(?:\.\d+)?\s?m?s[\])]|\d+(?:\.\d+)?\s?m?s)\s*$/u;

/** A failure said in a line: an error of a compiler, of a linter, of a program. */
const NAMES_A_FAILURE = /error|fail|panic|exception|warning|denied|not found|cannot/iu;

/** The tests that an output names as failed. */
function failedTests(output: string): ReadonlySet<string> {
  return new Set(
    linesOf(output).flatMap((line) => {
      const found = NAMES_A_FAILED_TEST.map((pattern) => pattern.exec(line)?.[1]);
      const name = found.find((each) => each !== undefined);
      return name === undefined
        ? []
        : [
            name
              .replace(TOOK, "")
              .replace(/ - .*$/u, "")
              .trim(),
          ];
    }),
  );
}

/** Lines that say what failed, without where in a file and how often. */
function failureLines(output: string): ReadonlySet<string> {
  const lines = linesOf(output).filter((line) => NAMES_A_FAILURE.test(line));
  return new Set(lines.map((line) => line.replace(/\d+(?:\.\d+)?/gu, "#")));
}

/** Of one line each time it is written, and with nothing around it. */
function linesOf(output: string): readonly string[] {
  return output.split("\n").map((line) => line.trim());
}

/** What fails with a change and does not without it, as far as the output of both tells. */
export interface Compared {
  /** Nothing fails that did not before. */
  readonly isSame: boolean;
  /** Tests that fail with and without the change. */
  readonly before: readonly string[];
  /** Tests that fail with the change only. */
  readonly added: readonly string[];
}

/**
 * Compares a check that failed with the same check on the folder without the change. Where the
 * outputs name tests or errors, one more than before is a new failure; a check that ended in
 * another way is one, too.
 */
export function compareFailures(check: CheckResult, baseline: CheckResult): Compared {
  const [now, then] = [check.stages.at(-1), baseline.stages.at(-1)];
  const none: Compared = { isSame: false, before: [], added: [] };
  if (!now || !then || baseline.ok || now.name !== then.name) return none;
  const [tests, known] = [failedTests(now.output), failedTests(then.output)];
  const before = [...tests].filter((name) => known.has(name));
  const added = [...tests].filter((name) => !known.has(name));
  if (!isSameEnd(now, then) || (tests.size === 0) !== (known.size === 0)) {
    return { isSame: false, before, added };
  }
  if (tests.size > 0) return { isSame: added.length === 0, before, added };
  const lines = failureLines(then.output);
  const isSame = [...failureLines(now.output)].every((line) => lines.has(line));
  return { isSame, before, added };
}

function isSameEnd(a: CheckStage, b: CheckStage): boolean {
  if (a.excess || b.excess) return a.excess?.kind === b.excess?.kind;
  return a.timedOut === b.timedOut && a.exitCode === b.exitCode;
}
