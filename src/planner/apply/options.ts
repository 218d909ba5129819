import type { OutcomeView, PreviewView, Step } from "../../transaction/views.ts";
import type { Origin } from "../prepare/prepare.ts";
import type { CheckedUndo } from "../verify/check-undo.ts";
import type { Wanted } from "../verify/verify.ts";

/** An outcome with the facts that the protocol report needs. */
export interface ApplyOutcome extends OutcomeView {
  readonly changeSetId?: string;
  readonly origin?: Origin;
  /** Set when the apply waits for a person: ask, then call again with `approved`. */
  readonly preview?: PreviewView;
}

/** Options of an apply. */
export interface ApplyOptions {
  /** The change set id a person said yes to. */
  readonly approved?: string;
  /** Ask even under full autonomy: others' text may be behind it, or behind writing these files. */
  readonly mustAsk?: boolean | ((paths: readonly string[]) => boolean);
  /** Nobody sees it run: what the workspace says of checks that failed before decides. */
  readonly isRoutine?: boolean;
  /** The id of the work it belongs to, as the journal records it. */
  readonly work?: string;
  /** What a person wants for it beyond the configuration. */
  readonly wanted?: Wanted;
  readonly signal: AbortSignal;
  readonly onProgress?: (step: Step) => void;
}

/** Options of an undo and a redo of the newest change. */
export interface TakeBackOptions {
  /** Only this transaction, and only while it is the newest. */
  readonly only?: string;
  /** Only what it was shown to do to the files, by the id of that change set. */
  readonly exactly?: string;
  /** Only what was checked, and only while the folder is as it was then. */
  readonly checked?: CheckedUndo;
  /** The id of the work it belongs to, as the journal records it. */
  readonly work?: string;
  /** Of an undo: all parts of the series that it is of. */
  readonly isSeries?: boolean;
}
