import type { Counted } from "../core/few.ts";
import {
  type Guard,
  isAny,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from "../core/guards.ts";
import type { Excess } from "../system/limits.ts";
import type { Look } from "../system/run/run.ts";
import type { Note } from "../texts/notes/notes.ts";

/** A regular file at one moment. */
export interface FileState {
  readonly sha256: string;
  /** Permission bits, e.g. 0o644. */
  readonly mode: number;
  readonly sizeBytes: number;
  /** Set-user-id, set-group-id and sticky, where it has any: for who reads it, never given again. */
  readonly special?: number;
  /**
   * Where it has an access list (ACL): the mode for a file without one. The bits of its own mode for
   * the group are those of the list then, and would give the group what it has not.
   */
  readonly unlisted?: number;
  /**
   * Whom it belongs to. Of a file that is to come: whom it is to belong to, as far as it may be given;
   * missing, as in older journals: whoever makes it.
   */
  readonly uid?: number;
  readonly gid?: number;
}

/** Who may do what with a file. */
export type FileRights = Pick<FileState, "mode" | "uid" | "gid">;

/** One step of a change set; paths are relative, with "/", normalised. */
export type Change =
  | { readonly kind: "mkdir"; readonly path: string; readonly mode: number }
  | { readonly kind: "create"; readonly path: string; readonly after: FileState }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly before: FileState;
      readonly after: FileState;
    }
  | { readonly kind: "delete"; readonly path: string; readonly before: FileState }
  | {
      readonly kind: "rmdir";
      readonly path: string;
      readonly mode: number;
      /** As of a file: told, and never given again but by a roll-back. */
      readonly special?: number;
    };

/**
 * The ordered changes that one approval covers.
 * `contents` holds before and after bytes by their sha256.
 */
export interface ChangeSet {
  /** sha256 over the changes: equal ids mean equal effects on equal files. */
  readonly id: string;
  readonly changes: readonly Change[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** For the preview: what was tolerated of patches, and what else is to be known of the files. */
  readonly notes: readonly Note[];
}

/**
 * What goes on while checks run: a command begins, by its name, of several with its number; it
 * printed a line, the newest so far; or files of the folder were looked at.
 */
export type CheckStep =
  | string
  | { readonly check: string; readonly at: number; readonly of: number }
  | Printed
  | Counted;

/** Something that a check printed; `looks` are its colours, where it has any. */
export interface Printed {
  readonly printed: string;
  readonly looks?: readonly Look[];
}

/** One check that ran after an apply. */
export interface CheckStage {
  readonly name: string;
  readonly command: readonly string[];
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** How long it was allowed to take, where that was too short; in milliseconds. */
  readonly limitMs?: number;
  /** The limit that it went over, which is why it failed. */
  readonly excess?: Excess;
  /** Head and tail of what it printed. */
  readonly output: string;
  /** The colours of that, where it has any. */
  readonly looks?: readonly Look[];
}

/** The seconds that a check was allowed, as people read them. */
export function limitOf({ limitMs, durationMs }: CheckStage): string {
  return String(Number(((limitMs ?? durationMs) / 1000).toFixed(1)));
}

/** All checks of one change set; `sandbox` says what they ran in. */
export interface CheckResult {
  readonly ok: boolean;
  readonly stages: readonly CheckStage[];
  /** Of checks that failed: how the same ones end on the folder without the change. */
  readonly baseline?: Baseline;
  readonly sandbox: "bwrap" | "none";
  /** Whether that had a network, or why it was none. */
  readonly sandboxNote?: string;
  /** What it could not keep from the checks on this machine. */
  readonly sandboxGaps?: readonly string[];
}

/** Checks on the folder as it is, up to the one that fails with a change. */
export interface Baseline {
  readonly ok: boolean;
  readonly stages: readonly CheckStage[];
  /** Nothing fails with the change that does not fail without it. */
  readonly isSame: boolean;
  /** Tests that fail with and without it, and those that fail with it only, where they are named. */
  readonly before: readonly string[];
  readonly added: readonly string[];
}

/** A file that checks created, changed or deleted in their view of a folder. */
export interface SideEffect {
  readonly path: string;
  /** "other": no change set can hold it, such as a link, a secret or a file over 8 MiB. */
  readonly kind: Change["kind"] | "other";
  /** It is part of the change set. */
  readonly kept: boolean;
}

/** What became of the commands that make lock files for a change set. */
export type Generation =
  | {
      readonly kind: "made";
      readonly commands: readonly string[];
      /** Files of the change set that they wrote; empty: those that are there were right. */
      readonly paths: readonly string[];
      /** What else of the project they changed, which is not part of it. */
      readonly leftOut: readonly SideEffect[];
    }
  /** Nothing that any of them wrote is in the change set. */
  | {
      readonly kind: "failed";
      readonly command: string;
      readonly reason: string;
      /** Hosts that it asked for and `generate_hosts` does not name: the first, all of which can be opened. */
      readonly hosts: readonly string[];
      /** How many more there are. */
      readonly moreHosts?: number;
      /** Hosts that it asked for and that nobody can open. */
      readonly closedHosts?: readonly string[];
      /** Why it had no network though it might have one: what it runs and the change set changes. */
      readonly programs: readonly string[];
    }
  /** They only run in a view, before anybody is asked, and there was none. */
  | { readonly kind: "skipped"; readonly commands: readonly string[] };

/** What became of a correction that is no part of a change set, or why there are no more of them. */
export interface FixNote {
  /**
   * It would have touched what decides what is checked (judges); it would have taken the whole
   * change back (nothing); it could not be one change set with the rest (unfit); it was what had
   * failed before (same); there was none to propose (none); none could be had (failed).
   */
  readonly why: "judges" | "nothing" | "unfit" | "same" | "none" | "failed";
  readonly paths?: readonly string[];
  /** Of what failed. */
  readonly code?: string;
}

/** The files that commands changed in a view, that were left out and that a change set could hold. */
export function leftOutOf({
  sideEffects = [],
  generation,
}: {
  readonly sideEffects?: readonly SideEffect[];
  readonly generation?: Generation;
}): readonly string[] {
  const made = generation?.kind === "made" ? generation.leftOut : [];
  const isFile = ({ kind }: SideEffect) => /^(?:create|update|delete)$/u.test(kind);
  return [...made, ...sideEffects]
    .filter((each) => !each.kept && isFile(each))
    .map(({ path }) => path);
}

/** The hosts that what makes lock files asked for in vain, where it failed. */
export function refusedHosts(generation: Generation | undefined): readonly string[] {
  return generation?.kind === "failed" ? generation.hosts : [];
}

const isLook = (value: unknown): value is Look =>
  Array.isArray(value) &&
  value.length === 4 &&
  value.slice(0, 3).every(isNumber) &&
  isText(value[3]);

const isStage = isObject(
  {
    name: isText,
    command: isListOf(isText),
    exitCode: isAny(isNumber, (value): value is null => value === null),
    durationMs: isNumber,
    timedOut: isFlag,
    output: isText,
  },
  {
    limitMs: isNumber,
    looks: isListOf(isLook),
    excess: isObject({
      kind: isOneOf("processes", "threads", "memory", "disk", "file", "machine"),
      limit: isNumber,
    }),
  },
);

const isRun = { ok: isFlag, stages: isListOf(isStage) };
const isNames = isListOf(isText);

/** Whether what was stored is a result of checks. */
export const isCheckResult = isObject(
  { ...isRun, sandbox: isOneOf("bwrap", "none") },
  {
    sandboxNote: isText,
    sandboxGaps: isNames,
    baseline: isObject({ ...isRun, isSame: isFlag, before: isNames, added: isNames }),
  },
);

/** Whether what was stored is a note on corrections. */
export const isFixNote = isObject(
  { why: isOneOf("judges", "nothing", "unfit", "same", "none", "failed") },
  { paths: isNames, code: isText },
);

/** Whether what was stored is a list of side effects. */
export const isSideEffects = isListOf(
  isObject({
    path: isText,
    kind: isOneOf("mkdir", "create", "update", "delete", "rmdir", "other"),
    kept: isFlag,
  }),
);

/** A file that somebody else changed in between; it was left as it is. */
export interface Kept {
  readonly path: string;
  /** What it was before the transaction, in `.papa-yu/objects/`; null: it did not exist. */
  readonly beforeSha256: string | null;
}

/** Whether what was stored is what became of such commands. */
export const isGeneration: Guard<Generation> = isAny(
  isObject({
    kind: isOneOf("made"),
    commands: isNames,
    paths: isNames,
    leftOut: isSideEffects,
  }),
  isObject(
    {
      kind: isOneOf("failed"),
      command: isText,
      reason: isText,
      hosts: isNames,
      programs: isNames,
    },
    { moreHosts: isNumber, closedHosts: isNames },
  ),
  isObject({ kind: isOneOf("skipped"), commands: isNames }),
);
