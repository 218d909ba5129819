import type { Note } from "../texts/notes/notes.ts";
import type { Change, CheckResult, CheckStep, FixNote, Generation, SideEffect } from "./change.ts";

/** One row of a preview. */
export interface ChangeView {
  readonly path: string;
  readonly kind: Change["kind"];
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  readonly added: number;
  readonly removed: number;
  /** A command of papa-yu's or of the owner's wrote it, not the author: a lock file. */
  readonly generated?: true;
}

/** What a change set was checked in before anybody was asked; "none": it was not. */
export type ViewKind = "overlay" | "clone" | "copy" | "none";

/** One change set shown for approval, ready to render. */
export interface PreviewView {
  readonly planId: string;
  readonly changeSetId: string;
  readonly workspace: string;
  readonly summary: string;
  readonly changes: readonly ChangeView[];
  /** Unified diff of everything. */
  readonly diff: string;
  readonly notes: readonly Note[];
  /** The checks; empty: none. They ran before the question, or run after a yes. */
  readonly checks: readonly PlannedCheck[];
  /**
   * The checks were found in the folder and nobody has seen them yet, so none has run: from the
   * next plan on they run before the question, or after the swap as these will.
   */
  readonly unseen?: "before" | "after";
  /** What they came to, where they ran before it. */
  readonly checked?: CheckedView;
  /** What only corrections touch, and not the change set of the goal, where there is anything. */
  readonly fixPaths?: readonly string[];
  /** How many more ways to its goal may be tried, where there are any. */
  readonly triesLeft?: number;
  /** By what the output of those that failed is found, and a fix planned. */
  readonly checkRef?: string;
  /** What became of lock files, where the change set touches a manifest. */
  readonly generation?: Generation;
  /** Of a plan that is carried out part by part: the id is that of all of them; clients know it as `row`. */
  readonly row?: SeriesView;
}

/** How large a plan is that is carried out part by part, before any part is asked for. */
export interface PlannedSeries {
  readonly files: number;
  readonly parts: number;
  /** Most requests to the author until all of it is known, without corrections. */
  readonly mostRequests: number;
}

/** What a person waits for: checks, or a part of a large goal, from 1, that is asked for. */
export type Step = CheckStep | { readonly part: number; readonly of: number };

/** A series, change sets that follow each other, shown for one approval of all of them. */
export interface SeriesView {
  /** How many before them are in the folder already. */
  readonly done: number;
  readonly parts: readonly PartView[];
}

/** One change set of a series. */
export interface PartView {
  readonly changeSetId: string;
  /** The part as a plan of its own, which can be applied alone; missing as below. */
  readonly planId?: string;
  /** Missing: it is what corrections and commands add to all parts. */
  readonly summary?: string;
  readonly changes: number;
  readonly added: number;
  readonly removed: number;
  /** How the checks end with it and those before it, where they ran. */
  readonly checks?: "passes" | "fails";
}

/** What became of change sets that follow each other. */
export interface SeriesOutcome {
  readonly done: number;
  readonly parts: readonly PartOutcome[];
  /** How many an undo of the series would take back then, those made before among them. */
  readonly undoable?: number;
}

/** What became of one change set of a series. */
export interface PartOutcome {
  readonly changeSetId: string;
  readonly changes: number;
  readonly status:
    | "committed"
    | "rolled_back"
    | "rejected"
    | "conflict"
    | "incomplete"
    | "not begun";
  readonly txId?: string;
}

/** A check that is shown before it runs. */
export interface PlannedCheck {
  readonly command: string;
  /** What made it a check: `Makefile: test`. */
  readonly from?: string;
  /** How long it took the last time, in milliseconds. */
  readonly tookMs?: number;
}

/** What the checks of a change set came to in a view of the folder. */
export interface CheckedView {
  readonly view: Exclude<ViewKind, "none">;
  readonly check: CheckResult;
  /** What they changed in it. */
  readonly sideEffects: readonly SideEffect[];
  /** Paths of the change set that decide what its checks look at. */
  readonly judges: readonly string[];
  /** Corrections that were taken until they passed, or until they were given up. */
  readonly fixRounds: number;
  /** Those that are not in it, and why there were no more. */
  readonly fixNotes: readonly FixNote[];
}

/** How a transaction ended. */
export interface OutcomeView {
  readonly ok: boolean;
  readonly status:
    | "committed"
    | "rolled_back"
    | "rejected"
    | "no_changes"
    | "undone"
    | "redone"
    | "conflict"
    | "incomplete";
  readonly workspace: string;
  readonly txId?: string;
  readonly changes: readonly ChangeView[];
  /** What else a person should know of the files. */
  readonly notes?: readonly Note[];
  /** Why nothing has to change. */
  readonly reason?: string;
  readonly check?: CheckResult;
  /** The id under which the output of checks is kept when there is no transaction. */
  readonly checkRef?: string;
  readonly sideEffects?: readonly SideEffect[];
  readonly fixRounds?: number;
  readonly fixPaths?: readonly string[];
  readonly generation?: Generation;
  readonly fixNotes?: readonly FixNote[];
  /** Whether any file of the workspace was written; what went back counts as well. */
  readonly touched?: boolean;
  /** Files that changed meanwhile and were left as they are. */
  readonly kept?: readonly string[];
  /** What could not go back yet, and why. */
  readonly pending?: readonly { readonly path: string; readonly reason: string }[];
  readonly error?: string;
  readonly errorCode?: string;
  /** Of how many change sets the plan is, where all of them are in the folder already. */
  readonly made?: number;
  /** Files are others by now than those that this plan was made for: its goal has to be planned anew. */
  readonly planAgain?: { readonly planId: string; readonly goal: string };
  /** Of change sets that follow each other: `done` were in the folder before, then what became of each. */
  readonly row?: SeriesOutcome;
}
