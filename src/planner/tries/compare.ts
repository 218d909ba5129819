import type { ErrorCode } from "../../core/error-codes.ts";
import type { PreviewView } from "../../transaction/views.ts";
import type { PlanOutcome } from "../plan.ts";
import { isExcused } from "../verify/verify.ts";

type MadePlan = Extract<PlanOutcome, { readonly ok: true }>;

/** What became of a goal by one way. */
export type TryEnd =
  /** A change set, and what its checks came to where they ran. */
  | { readonly kind: "changes"; readonly plan: MadePlan; readonly preview: PreviewView }
  /** The author says that nothing has to change. */
  | { readonly kind: "nothing"; readonly plan: MadePlan }
  /** No plan, or none that became a change set. */
  | {
      readonly kind: "failed";
      readonly plan?: PlanOutcome;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** An author, as people tell it from others. */
export interface Who {
  readonly provider: string;
  readonly model: string;
  readonly temperature?: number;
}

/** One way that was tried. */
export interface Try extends Who {
  readonly end: TryEnd;
  /** Those that came to the very same change set. */
  readonly same: readonly (Who & { readonly planId: string })[];
}

/**
 * What tries are compared by: their checks first, or their size alone, for nobody has seen yet what was
 * found to check them with, there is nothing, or nothing to run it in before a yes.
 */
export type Basis = "checks" | "unseen" | "no checks" | "no view";

/** Several ways, the one to show first. */
export interface Tries {
  readonly order: readonly Try[];
  readonly basis: Basis;
}

/** How good a try is; the first word that fits counts, and the first in this list is best. */
const GRADES = ["green", "unchecked", "excused", "red", "nothing", "failed"] as const;

/** See the list: "excused" fails in the same way without the change set. */
export type Grade = (typeof GRADES)[number];

/**
 * The smallest change set whose checks pass before all others; where none does, the one that failed
 * least: in a later command, with fewer tests. Of equals the first.
 */
export function compare(tries: readonly Try[]): Tries {
  const basis = basisOf(tries);
  const order = tries.toSorted((one, other) => {
    const [a, b] = [toKey(one), toKey(other)];
    return a.map((part, at) => part - (b[at] ?? 0)).find((part) => part !== 0) ?? 0;
  });
  return { order, basis };
}

/** The plan of the one to show, where any of them came to a change set. */
export function bestOf({ order }: Tries): string | undefined {
  return order.flatMap(({ end }) => (end.kind === "changes" ? [end.plan.planId] : [])).at(0);
}

function toKey({ end }: Try): readonly number[] {
  const grade = GRADES.indexOf(gradeOf(end));
  if (end.kind !== "changes") return [grade];
  const { check } = end.preview.checked ?? {};
  const lines = changedLines(end.preview);
  if (!check || check.ok) return [grade, 0, 0, lines];
  return [grade, -check.stages.length, check.baseline?.added.length ?? 0, lines];
}

/** How good a try is. */
export function gradeOf(end: TryEnd): Grade {
  if (end.kind !== "changes") return end.kind;
  const { checked, generation } = end.preview;
  if (generation?.kind === "failed") return "red"; // its lock file is not what it has to be
  if (!checked || checked.check.stages.length === 0) return "unchecked";
  if (checked.check.ok) return "green";
  return isExcused(checked.check) ? "excused" : "red";
}

/** Lines that a change set adds and removes, without those that commands wrote. */
export function changedLines({ changes }: PreviewView): number {
  const own = changes.filter(({ generated }) => generated !== true);
  return own.reduce((sum, { added, removed }) => sum + added + removed, 0);
}

function basisOf(tries: readonly Try[]): Basis {
  const shown = tries.flatMap(({ end }) => (end.kind === "changes" ? [end.preview] : []));
  if (shown.some(({ checked }) => checked && checked.check.stages.length > 0)) return "checks";
  if (shown.some(({ unseen }) => unseen)) return "unseen";
  return shown.some(({ checks }) => checks.length > 0) ? "no view" : "no checks";
}
