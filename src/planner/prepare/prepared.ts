import type { ErrorCode } from "../../core/error-codes.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import type { HistoryEntry } from "../../transaction/journal/journal.ts";
import type { Step } from "../../transaction/views.ts";
import type { AnswerDeps, Rejection } from "../answer.ts";
import type { ContextLimits } from "../context/context.ts";
import type { PlanRecords } from "../plan.ts";

/** What it takes to make changes of a plan. */
export interface ChangeDeps {
  readonly answers: AnswerDeps;
  readonly records: PlanRecords;
  /** `protocol.normalize_eol`. */
  readonly normalizeEol: "keep" | "lf";
  /** How much a model is shown. */
  readonly limits: ContextLimits;
}

/** The change set of a plan on the files as they are now, or why there is none. */
export type Prepared = PreparedChanges | PrepareFailure;

/** How the change set, or the failure, came about. */
export interface Origin {
  readonly traceId: string;
  /** Versions of the protocol in the order they were tried. */
  readonly attempts: readonly ProtocolVersion[];
}

/** A change set that may be shown and run. */
export interface PreparedChanges extends Origin {
  readonly ok: true;
  /** Of a series all that is not in the folder yet, as one; empty where that is corrections at most. */
  readonly changeSet: ChangeSet;
  /** What the author says of it. */
  readonly summary: string;
  /** Of a plan that is carried out part by part. */
  readonly series?: Series;
}

/** Change sets that follow each other, each made for what those before it leave. */
export interface Series {
  /** Those that are not in the folder yet; none is empty. */
  readonly parts: readonly Part[];
  /** Those before them that are in the folder. */
  readonly made: readonly MadePart[];
}

/** A change set of a series that the folder holds, as its journal says. */
export type MadePart = Pick<HistoryEntry, "changeSetId" | "changes">;

/** One change set of a series. */
export interface Part {
  /** The plan that it is of. */
  readonly planId: string;
  readonly changeSet: ChangeSet;
  /** With those before it that are not in the folder yet, as one. */
  readonly upTo: ChangeSet;
  readonly summary: string;
}

/** How its parts are waited for. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly onProgress?: ((step: Step) => void) | undefined;
}

/** Why a plan has no change set. */
export interface PrepareFailure extends Origin {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems: readonly Problem[];
}

/** A rejected answer as the reason why there is no change set. */
export function fail(
  { code, message, problems = [] }: Pick<Rejection, "code" | "message" | "problems">,
  origin: Origin,
): PrepareFailure {
  return { ok: false, code, message, problems, ...origin };
}
