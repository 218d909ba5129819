import type { ValueOf } from "../store/settings/settings.ts";
import type { LeftPart } from "../transaction/compute/leave-out.ts";

/** What people press; "withdraw", of somebody who went away, is the channels' own. */
export const PRESS_ACTS = [
  "apply",
  "change",
  "drop",
  "approve",
  "approve_whole",
  "check_first",
  "keep",
  "reach",
  "try_another",
  "show_way",
  "reject",
  "leave_out",
  "revise",
  "undo",
  "redo",
  "show_output",
  "plan_fix",
  "plan_again",
  "use_research",
  "stop_auto_use",
  "use_ws",
  "run_routine",
  "dry_run_routine",
  "stop_routine",
  "set_aside_run",
  "propose_routine",
  "change_routine",
  "routine_on",
  "routine_off",
  "end_browser",
] as const satisfies Press["act"][];

/** The act of a name that came in from outside. */
export function toPressAct(name: unknown): Press["act"] | undefined {
  return PRESS_ACTS.find((act) => act === name);
}

/**
 * What a button or an answer asks for. `ref` is the id of a plan, an approval, a transaction
 * or a research, or the name of a workspace or a routine.
 */
export interface Press {
  readonly act:
    | "apply"
    /** Of a plan: makes another one by {@link words}; without them asks what should be different. */
    | "change"
    | "drop"
    | "approve"
    /** Of a change set of which something is unticked: a yes to all of it. */
    | "approve_whole"
    /** Of a change set whose checks were found and never seen: they run, and it is asked again. */
    | "check_first"
    /** Makes what checks changed a part of what is asked about, and asks again. */
    | "keep"
    /** Lets what makes its lock files reach the hosts that it asked for, and asks again. */
    | "reach"
    /** Of a question: plans the same goal in another way, and asks about the best. */
    | "try_another"
    /** Of a plan for the goal that is asked about: asks about it instead. */
    | "show_way"
    | "reject"
    /** Of a question: asks about the change set without some of its files and hunks, else without what is unticked. */
    | "leave_out"
    /** Of a question: plans its goal again with what a person says of it, and asks about that. */
    | "revise"
    /** Who was asked went away: neither a yes nor a no. */
    | "withdraw"
    | "undo"
    /** Of an undo, by its id. */
    | "redo"
    /** Of a transaction whose check failed. */
    | "show_output"
    | "plan_fix"
    /** Of a plan whose files are others by now. */
    | "plan_again"
    | "use_research"
    | "stop_auto_use"
    /** Of a workspace, by its name. */
    | "use_ws"
    /** Of a routine, by its name. */
    | "run_routine"
    | "dry_run_routine"
    | "stop_routine"
    /** Of a run that failed, by the name of its routine and the instant it was due at, see `run-ref.ts`. */
    | "set_aside_run"
    /** Of words that say when and what: asks about the routine that they are. */
    | "propose_routine"
    /** What a routine is to be, in {@link words}: asked about before it is kept. */
    | "change_routine"
    | "routine_on"
    | "routine_off"
    /** Of a browser that was let into the web console, by its id. */
    | "end_browser";
  readonly ref: string;
  /** What is to be different, where the act says that something is. */
  readonly revision?: Revision;
  /** What a routine is to be, or what should be different about a plan. */
  readonly words?: string;
  /** What was typed, where the answer came in words. */
  readonly said?: string;
  /** Of undo and redo: what it must do to the files, as it was shown; without it whatever it does. */
  readonly exactly?: string;
}

/** Something that a person says of a change set: of some of its lines, of a file, or of all of it. */
export type Comment = ValueOf<"draft.">["comments"][number];

/** There is one comment at each place. */
export function placeOf({ path, side, line }: Pick<Comment, "path" | "side" | "line">): string {
  return JSON.stringify([path ?? null, side ?? null, line ?? null]);
}

/** What a person wants to be different about a change set. */
export interface Revision {
  /** Files and hunks that it is to be without. */
  readonly leftOut?: readonly LeftPart[];
  /** What its author is to be told. */
  readonly comments?: readonly Comment[];
}
