import type { Ledger } from "./ledger.ts";

/** A folder the user granted, with the rules that hold in it. */
export interface Workspace {
  /** Configured name, or the folder's base name. */
  readonly name: string;
  /** Its name in the configuration; without one somebody named the folder itself. */
  readonly entry?: string;
  /** Absolute real path, no links, no trailing slash. */
  readonly root: string;
  /** Commands that must pass after an apply; "detect": from the project; "none". */
  readonly check: readonly (readonly string[])[] | "detect" | "none";
  readonly checkTimeoutMs: number;
  /** Whether checks may reach the network from their sandbox; default: no. */
  readonly checkNetwork?: boolean;
  /** Whether checks run in a view before anybody is asked, or in the folder; default: before. */
  readonly checkWhen?: "before" | "after";
  /** Globs of the files that checks may change as part of a change set; default: none. */
  readonly keep?: readonly string[];
  /** Commands that make lock files when a manifest changes; default: from the project. */
  readonly generate?: Workspace["check"];
  /** What they may reach: names of hosts, or `.suffix`; default: nothing. */
  readonly generateHosts?: readonly string[];
  /** What a routine does under full autonomy when a check fails without its change, too. */
  readonly onFailingBaseline?: "ask" | "apply" | "refuse";
  /** Most actions one transaction may have; 0: by kind of project. Never over 200. */
  readonly maxActions: number;
  /** Globs added to the built-in list of protected paths. */
  readonly protectedPaths: readonly string[];
  /** Folders whose secrets no second name of a file may show; default: the account's home. */
  readonly homes?: Homes;
  /** How much of the past can be undone; default: 90 days and 512 MiB. */
  readonly undoLimits?: UndoLimits;
  /** What the home knows of its transactions; without it nothing in it is obeyed or changed. */
  readonly ledger?: Ledger;
}

/** A host that `generate_hosts` may name. No address: those are of one's own machines, or whose? */
export const HOST_RULE = {
  pattern: "^\\.?([A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*$",
  maxLength: 253,
} as const;

/** Whether a person can open this one host to a command: no suffix, whose names nobody knows. */
export function isOneHost(text: string): boolean {
  const { pattern, maxLength } = HOST_RULE;
  return text.length <= maxLength && !text.startsWith(".") && new RegExp(pattern, "u").test(text);
}

/** The person's home folder and papa-yu's own. */
export interface Homes {
  readonly person: string;
  readonly own: string;
}

/** What before-images are kept; the oldest go first. */
export interface UndoLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** The daemon's own folder inside a workspace: traces, journal, before-images, memory. */
export const STATE_DIR = ".papa-yu";

/** One command that must pass after an apply; `name` is verify, build or test, or the command's own. */
export interface CheckCommand {
  readonly name: string;
  readonly argv: readonly string[];
  /** What made it a check: `Makefile: test`. */
  readonly from?: string;
  /** Where in the workspace it starts, in a sandbox; default: its root. */
  readonly folder?: string;
}
